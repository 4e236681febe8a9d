// Why an answer is what it is: the steps with their numbers, as the command prints them.

import { element, fill } from "./dom.js";

const LONGEST = 160; // characters of a formula
const MOST_STEPS = 50;
const MOST_WORDS = 40; // of a category

/** Format a number to three significant digits, as Python's `.3g` does; null is unknown. */
export function number(value) {
  if (value === null) return "unknown";
  const exact = value.toExponential(60);
  const isTie = /^\d\.\d[02468]50*e/.test(exact); // it goes to the even digit
  const [digits, exponent] = isTie ? [exact.slice(0, 4), exact.split("e")[1]] : value.toExponential(2).split("e");
  if (exponent >= -4 && exponent < 3) return String(Number(`${digits}e${exponent}`));
  return `${Number(digits)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/** A formula in code, cut where it is too long to be read; the whole of it is its title. */
function code(text) {
  const letters = [...text];
  if (letters.length <= LONGEST) return element("code", {}, text);
  return element("code", { title: text }, `${letters.slice(0, LONGEST).join("")} ...`);
}

function step({ kind, formula, depth, symbol, vector, sign, probability_formula: p, weight }) {
  const made = element("li", { class: kind },
    element("b", {}, kind),
    code(formula),
    weight === null ? "" : code(`weight ${number(weight)}`),
    kind === "word" ? "" : code(`${symbol} = ${vector}`),
    code(`p ${sign} ${p}`));
  made.style.marginLeft = `${Math.min(depth, 6) * 1.25}rem`;
  return made;
}

function group({ name, origin, words, weights, probability }) {
  const order = words.map((word, place) => [word, weights[place]]).sort((a, b) => b[1] - a[1]);
  const rest = order.splice(MOST_WORDS);
  if (rest.length) order.push([`${rest.length.toLocaleString("en")} more`, rest.reduce((sum, [, weight]) => sum + weight, 0)]);
  return [
    element("h3", {}, element("b", {}, name), ` ${origin}, p(${name}) = ${number(probability)}`),
    element("div", { class: "shares" }, ...order.flatMap(([word, weight]) => [
      element("span", { class: "word" }, word),
      element("meter", { min: 0, max: 1, value: weight, "aria-label": `the weight of ${word}` }),
      element("span", { class: "share" }, number(weight)),
    ])),
  ];
}

/** Show an explanation as the service gives it. */
export function explain(panel, why) {
  const more = why.parts.length - MOST_STEPS;
  const figures = more > 0 ? [{ name: "parts", text: `${more.toLocaleString("en")} more, which JSON has` }] : [];
  fill(panel,
    element("ol", { class: "parts" }, ...why.parts.slice(0, MOST_STEPS).map(step)),
    ...why.categories.flatMap(group),
    element("dl", { class: "facts" },
      ...[...figures, ...why.figures].flatMap(({ name, text }) => [element("dt", {}, name), element("dd", {}, text)])));
}
