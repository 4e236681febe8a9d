// The error of a query: where it is, and fixes of one click.

import { $, element, fill } from "./dom.js";
import { mark } from "./field.js";
import { quoted, wordsOf } from "./language.js";

const PROSE = /^[\p{L}\p{N}'’,.\s-]+$/u;

/** Show an error under the field, or none if it is null; `change(changes)` asks another query. */
export function showProblem(facts, change) {
  $("problem").hidden = facts === null;
  $("query").setAttribute("aria-invalid", String(facts !== null));
  if (facts === null) {
    mark("", null);
    return;
  }
  const query = $("query").value;
  const isQuoted = [...query][facts.column - 1] === '"';
  mark(query, facts.column, facts.word ? [...facts.word].length + (isQuoted ? 2 : 0) : 1);
  $("message").textContent = facts.error;
  const fixes = (facts.suggestions ?? []).map((word) => fix(word, () => change({ q: respelledIn(query, facts, word) })));
  if (facts.correction) fixes.push(fix(facts.correction, () => change({ q: facts.correction })));
  if (facts.kind === "syntax" && PROSE.test(query) && wordsOf(query).length > 2) {
    fixes.push(fix(`describe: ${query.trim()}`, () => change({ q: query.trim(), mode: "describe" })));
  }
  fill($("fixes"), ...fixes);
}

const fix = (text, use) => element("button", {
  type: "button", class: "fix",
  onclick: () => {
    $("query").focus();
    use();
  },
}, text);

/** Return a query with another spelling in the place of its unknown word. */
function respelledIn(query, { word, column }, other) {
  const letters = [...query]; // columns count characters
  const start = (column ?? 1) - 1;
  const end = start + [...word].length + (letters[start] === '"' ? 2 : 0);
  return letters.slice(0, start).join("") + quoted(other) + letters.slice(end).join("");
}

/** Offer the query as it was read, if words in capitals were read in lower case. */
export function respelled({ query, formula }, change) {
  const read = new Set(wordsOf(formula));
  if (!wordsOf(query).some((word) => !read.has(word) && read.has(word.toLowerCase()))) return [];
  return [element("li", {}, fix(`Write ${formula}`, () => change({ q: formula })))];
}
