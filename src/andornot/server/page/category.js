// The words of a category as buttons: pressed are its members; and some sets of numbers.

import { $, element, fill } from "./dom.js";

const NUMBER = /^-?\d+$/;

/** Show the chips; `change(words)` asks with another category, `add(word)` shows one more word. */
export function showChips({ universe, members, operands, change, add }) {
  const inside = new Set(members);
  const toggled = (word) => {
    const next = universe.filter((other) => (other === word ? !inside.has(word) : inside.has(other)));
    if (next.length > 1) change(next);
  };
  const chips = universe.map((word) =>
    element("button", {
      type: "button",
      "aria-pressed": String(inside.has(word)),
      class: operands.includes(word) ? "operand" : "",
      disabled: operands.includes(word),
      title: operands.includes(word) ? "it is what the query says NOT to" : false,
      onclick: () => toggled(word),
    }, word));
  const more = element("input", {
    type: "text", placeholder: "one more word", "aria-label": "One more word for the category",
    autocapitalize: "off", spellcheck: "false",
    onkeydown: (event) => {
      const word = event.target.value.trim();
      if (event.key !== "Enter" || !word) return;
      event.preventDefault();
      add(word);
    },
  });
  fill($("chips"), ...chips, more);
  fill($("presets"), ...presets(universe, inside, operands, change));
  return toggled;
}

/** Where there are numbers: the positive ones, the negative ones, all, as in the paper. */
function presets(universe, inside, operands, change) {
  const numbers = universe.filter((word) => NUMBER.test(word) && word !== "0");
  const sets = {
    "positive numbers": numbers.filter((word) => Number(word) > 0),
    "negative numbers": numbers.filter((word) => Number(word) < 0),
    "all numbers": numbers,
  };
  if (sets["positive numbers"].length < 2 || sets["negative numbers"].length < 2) return [];
  return Object.entries(sets).map(([name, words]) => {
    const pressed = words.length === inside.size && words.every((word) => inside.has(word));
    return element("button", {
      type: "button", "aria-pressed": String(pressed),
      onclick: () => change(words, operands.every((word) => words.includes(word)) ? null : words[words.length - 1]),
    }, name);
  });
}
