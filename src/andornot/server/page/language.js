// The part of the query language that the page must know: tokens, names, and where a category is.

const SIGNS = /[\s&|!@{}(),*"\\]/;
const KEYWORDS = new Set(["AND", "OR", "NOT", "GIVEN", "+", "-", "\u2212"]);
const TOKEN = /"(?:[^"\\]|\\.)*"?|[&|!@{}(),*]|[^\s&|!@{}(),*"\\]+/gs;
const NAMED = { AND: "&", OR: "|", NOT: "!", GIVEN: "@" };

/** Return a word as it is written in a query: in quotation marks if it needs them. */
export function quoted(word) {
  if (word && !SIGNS.test(word) && !KEYWORDS.has(word)) return word;
  return `"${word.replace(/["\\]/g, "\\$&")}"`;
}

/** Return a category as it is written after @. */
export const set = (words) => `{${words.map(quoted).join(", ")}}`;

/** Return the tokens of a query: the sign (or ""), the text, and where it begins and ends. */
export function tokens(query) {
  return [...query.matchAll(TOKEN)].map(({ 0: text, index }) => {
    const sign = NAMED[text] ?? ("&|!@{}(),*".includes(text) ? text : "");
    return { sign, text, start: index, end: index + text.length };
  });
}

/** Return the word of a token, without its quotation marks. */
const wordOf = ({ text }) => (text.startsWith('"') ? text.slice(1, text.endsWith('"') ? -1 : undefined).replace(/\\(.)/gs, "$1") : text);

/** Return the words of a query outside of its signs. */
export const wordsOf = (query) => tokens(query).filter(({ sign }) => !sign).map(wordOf);

/** Return the operands that one operation joins outside of brackets, and its sign; null for any other query. */
export function joined(query) {
  const parts = [[]];
  let depth = 0;
  let sign = null;
  for (const token of tokens(query)) {
    if ("({".includes(token.sign) && token.sign) depth += 1;
    if (")}".includes(token.sign) && token.sign) depth -= 1;
    if (depth < 0) return null;
    if (depth === 0 && (token.sign === "&" || token.sign === "|")) {
      if (sign && sign !== token.sign) return null;
      sign = token.sign;
      parts.push([]);
    } else parts.at(-1).push(token);
  }
  if (!sign || depth || parts.some((part) => !part.length)) return null;
  return { sign, parts: parts.map((part) => query.slice(part[0].start, part.at(-1).end)) };
}

/** Return the query with each of AND, OR and NOT between its two operands, and which of them it has; or null. */
export function swapped(query) {
  const found = joined(query);
  if (!found || found.parts.length !== 2 || found.parts.some((part) => tokens(part).some(({ sign }) => sign === "@"))) return null;
  const [one, other] = found.parts.map((part) => part.replace(/^[\d.eE+-]+\s*\*\s*/, ""));
  const isNegated = /^(!|NOT\s)/.test(other);
  const plain = other.replace(/^(!|NOT\s)\s*/, "");
  if (/^(!|NOT\s)/.test(one)) return null;
  return {
    and: `${one} & ${plain}`,
    or: `${one} | ${plain}`,
    not: `${one} & !${plain}`,
    chosen: found.sign === "|" ? "or" : isNegated ? "not" : "and",
  };
}

/** Return the operands of an OR, each with its weight or null; or null for any other query. */
export function weighed(query) {
  const found = joined(query);
  if (!found || found.sign !== "|") return null;
  return found.parts.map((part) => {
    const match = /^(\d*\.?\d+(?:[eE][+-]?\d+)?)\s*\*\s*/.exec(part);
    return match ? { weight: Number(match[1]), text: part.slice(match[0].length) } : { weight: null, text: part };
  });
}

/** Return the OR of two operands with weights that add up to 1. */
export const withWeights = ([one, other], share) =>
  `${Number(share.toFixed(2))}*${one.text} | ${Number((1 - share).toFixed(2))}*${other.text}`;

/** Return the word that is being typed before a position: its text and its beginning; or null. */
export function wordBefore(query, position) {
  const before = query.slice(0, position);
  const plain = before.replace(/"(?:[^"\\]|\\.)*"/gs, (name) => "&".repeat(name.length));
  const open = plain.indexOf('"');
  if (open >= 0) {
    const text = before.slice(open + 1).replace(/\\(.)/gs, "$1");
    return text ? { text, start: open } : null;
  }
  const match = /[^\s&|!@{}(),*"\\]+$/.exec(plain);
  return match ? { text: match[0], start: match.index } : null;
}

/** Return the only category that a query writes out: its words, the operands seen within it, its place; or null. */
export function categoryOf(query) {
  const all = tokens(query);
  const opens = all.flatMap(({ sign }, place) => (sign === "{" ? [place] : []));
  if (opens.length !== 1 || all[opens[0] - 1]?.sign !== "@") return null;
  const close = all.findIndex(({ sign }, place) => sign === "}" && place > opens[0]);
  if (close < 0) return null;
  const words = all.slice(opens[0] + 1, close).filter(({ sign }) => !sign).map(wordOf);
  let first = opens[0] - 2;
  if (all[first]?.sign === ")") while (first >= 0 && all[first].sign !== "(") first -= 1;
  const operands = all.slice(Math.max(first, 0), opens[0] - 1).filter(({ sign }) => !sign).map(wordOf);
  return { words, operands, start: all[opens[0]].start, end: all[close].end };
}

/** Return the word of a query that is a NOT and nothing else; or null. */
export function bareNot(query) {
  const all = tokens(query);
  return all.length === 2 && all[0].sign === "!" && !all[1].sign ? wordOf(all[1]) : null;
}

/** Return the query with other words in its category; one is added to a bare NOT. */
export function withCategory(query, words) {
  if (bareNot(query) !== null) return `${query.trim()} @ ${set(words)}`;
  const { start, end } = categoryOf(query);
  return query.slice(0, start) + set(words) + query.slice(end);
}
