// The little of the query language that the page must know: tokens, names, and where a set stands.

const SIGNS = /[\s&|!@{}(),*"\\]/;
const KEYWORDS = new Set(["AND", "OR", "NOT", "GIVEN", "+", "-", "\u2212"]);

/** A word as it stands in a query: in quotation marks where it must be. */
export function quoted(word) {
  if (word && !SIGNS.test(word) && !KEYWORDS.has(word)) return word;
  return `"${word.replace(/["\\]/g, "\\$&")}"`;
}

/** A set of words as it stands after @. */
export const set = (words) => `{${words.map(quoted).join(", ")}}`;

/** The query with something else where its quoted names are, of the same length. */
export const withoutNames = (query) =>
  query.replace(/"(?:[^"\\]|\\.)*("|$)/gs, (name) => "_".repeat(name.length));

/** Whether a query says NOT anywhere. */
export const negates = (query) => /!|\bNOT\b/.test(withoutNames(query));

/** Whether a formula has a category: one that is named, or one that is proposed for a NOT outside of an AND. */
export const hasCategory = (formula) => {
  const plain = withoutNames(formula);
  return plain.includes("@") || (negates(formula) && !plain.includes("&"));
};

/** The word that is being typed before a place: its text and its beginning; or null. */
export function wordBefore(query, place) {
  const before = query.slice(0, place);
  const plain = before.replace(/"(?:[^"\\]|\\.)*"/gs, (name) => "&".repeat(name.length));
  const open = plain.indexOf('"');
  if (open >= 0) {
    const text = before.slice(open + 1).replace(/\\(.)/gs, "$1");
    return text ? { text, start: open } : null;
  }
  const match = /[^\s&|!@{}(),*"\\]+$/.exec(plain);
  return match ? { text: match[0], start: match.index } : null;
}

/** The query with another category: in its only set, or added to a NOT that has none; or null. */
export function withCategory(query, words) {
  const plain = withoutNames(query);
  const sets = [...plain.matchAll(/\{[^{}]*\}/g)];
  if (sets.length === 1) {
    const { index, 0: found } = sets[0];
    return query.slice(0, index) + set(words) + query.slice(index + found.length);
  }
  if (sets.length === 0 && /^\s*(!|NOT\s)\s*[^\s&|!@{}(),*]+\s*$/.test(plain)) return `${query.trim()} @ ${set(words)}`;
  return null;
}
