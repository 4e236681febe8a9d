// The words of a category as buttons (pressed: its members), and sets of numbers.

import { post } from "./api.js";
import { Completion } from "./completion.js";
import { $, element, fill } from "./dom.js";
import { bareNot, categoryOf, quoted, set, withCategory } from "./language.js";

const NUMBER = /^-?\d+$/;

/** Show the category of an answer as buttons; a bare NOT is offered words for one. `change(changes)` asks again. */
export async function showCategory({ answer, space, beside }, change, signal) {
  const { query, measure } = answer;
  const negated = measure === "description" ? null : bareNot(query);
  const found = measure === "description" || negated !== null ? null : categoryOf(query);
  $("category").hidden = !found && negated === null;
  if ($("category").hidden) return;
  let words = [...new Set([...(found?.words ?? []), ...beside])].sort((a, b) => (Number(a) - Number(b)) || 0);
  if (negated !== null) ({ words } = await post("v1/category", { words: [negated], space: space.name }, signal));
  showChips({
    title: titleOf(query, negated, found?.operands),
    words,
    members: found?.words ?? [words[0]],
    operands: found?.operands ?? [words[0]],
    space: () => space.name,
    change: (chosen, operand = null) => change({
      q: operand === null ? withCategory(query, chosen) : `!${quoted(operand)} @ ${set(chosen)}`,
      with: words.filter((word) => !chosen.includes(word)),
    }),
  });
}

function titleOf(query, negated, operands) {
  if (negated !== null) return `Instead of ${negated}, what? Choose some words.`;
  const isNegated = /!|\bNOT\b/.test(query) && operands.length;
  return `${isNegated ? `The category: instead of ${operands.join(", ")}, what?` : "The category."} Press a word to take it in or out.`;
}

/** Show the chips.
 *
 * `words` are offered, `members` of them are pressed, `operands` can't be taken out. `change(words, operand)` asks with
 * another category, and another operand if one is given.
 */
function showChips({ title, words, members, operands, change, space }) {
  const inside = new Set(members);
  $("category").hidden = false;
  $("category-title").textContent = title;
  const toggle = (word) => {
    const next = words.filter((other) => (other === word ? !inside.has(word) : inside.has(other)));
    if (next.length > 1) change(next);
  };
  const chips = words.map((word) => {
    const isOperand = operands.includes(word);
    return element("button", {
      type: "button",
      "aria-pressed": String(inside.has(word)),
      class: isOperand ? "operand" : "",
      disabled: isOperand,
      title: isOperand ? "the query names it" : false,
      onclick: () => toggle(word),
    }, word);
  });
  fill($("chips"), ...chips, adding((word) => change([...members, ...(inside.has(word) ? [] : [word])]), space));
  fill($("presets"), ...presets(words, inside, operands, change));
}

/** Return a field for one more word, with completion. */
function adding(add, space) {
  const list = element("ul", { id: "more-completions", class: "completions", role: "listbox", "aria-label": "Words that begin like this", hidden: true });
  const input = element("input", {
    type: "text", id: "one-more", placeholder: "one more word", "aria-label": "One more word for the category", role: "combobox",
    "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": "more-completions", autocapitalize: "off", spellcheck: "false",
  });
  const take = () => {
    const word = input.value.trim();
    if (word) add(word);
  };
  const completion = new Completion(input, list, { space, taken: take, isWhole: true });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.defaultPrevented) return;
    event.preventDefault();
    completion.close();
    take();
  });
  return element("span", { class: "adding" }, input, list);
}

/** Return buttons for the positive numbers, the negative ones and all, as in the paper; none without both. */
function presets(words, inside, operands, change) {
  const numbers = words.filter((word) => NUMBER.test(word) && word !== "0");
  const sets = {
    "positive numbers": numbers.filter((word) => Number(word) > 0),
    "negative numbers": numbers.filter((word) => Number(word) < 0),
    "all numbers": numbers,
  };
  if (sets["positive numbers"].length < 2 || sets["negative numbers"].length < 2) return [];
  return Object.entries(sets).map(([name, chosen]) => {
    const isPressed = chosen.length === inside.size && chosen.every((word) => inside.has(word));
    return element("button", {
      type: "button", "aria-pressed": String(isPressed),
      onclick: () => change(chosen, operands.every((word) => chosen.includes(word)) ? null : chosen[chosen.length - 1]),
    }, name);
  });
}
