// Why an answer is what it is: the formula with its numbers.

import { element, fill } from "./dom.js";

const digits = (value) => (value === null ? "unknown" : Number(value.toPrecision(3)).toString());

function part({ kind, formula, depth, vector, probability_formula: p, weight }) {
  const made = element("li", { class: kind },
    element("b", {}, kind === "word" ? "word" : kind),
    element("code", {}, formula),
    kind === "word" ? "" : element("code", {}, `v = ${vector}`),
    element("code", {}, `p = ${p}`),
    weight === null ? "" : element("code", {}, `weight ${digits(weight)}`));
  made.style.marginLeft = `${Math.min(depth, 6) * 1.25}rem`;
  return made;
}

function group({ name, origin, words, weights, probability }) {
  const order = words.map((word, place) => [word, weights[place]]).sort((a, b) => b[1] - a[1]);
  return [
    element("h3", {}, `${name}: ${origin}, p(${name}) = ${digits(probability)}`),
    element("div", { class: "shares" }, ...order.flatMap(([word, weight]) => [
      element("span", { class: "word" }, word),
      element("meter", { min: 0, max: 1, value: weight, "aria-label": `the weight of ${word}` }),
      element("span", { class: "share" }, digits(weight)),
    ])),
  ];
}

/** Show an explanation as the service gives it. */
export function explain(panel, why) {
  const fact = (name, value) => [element("dt", {}, name), element("dd", {}, value)];
  const validity = why.inapplicable !== null
    ? fact("validity", `not applicable: ${why.inapplicable}`)
    : [
      ...fact("residual", `${digits(why.residual)}, the rms by which the best vector misses the exact PMI`),
      ...fact("validity", `cosine ${digits(why.cosine)} and PMI rms ${digits(why.rms)} between first order and exact`),
    ];
  fill(panel,
    element("ol", { class: "parts" }, ...why.parts.map(part)),
    ...why.categories.flatMap(group),
    element("dl", { class: "facts" },
      ...fact("mode", `${why.arithmetic}, post-processing ${why.postprocess}`),
      ...fact("p", digits(why.probability) + (why.is_bound ? ", at most" : "")),
      ...validity));
}
