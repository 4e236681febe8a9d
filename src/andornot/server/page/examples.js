// Queries to begin with, each with the first words of its answer, as the space itself gives them.

import { element } from "./dom.js";

const MEANING = {
  and: "Near both: the vectors are added.",
  or: "Near either: the mean of the vectors.",
  not: "Turned away from a word, or the rest of a category.",
};

/** Return the examples as links; `follow(query, beside)` makes an address. */
export function examples(groups, follow) {
  return Object.entries(groups).filter(([, each]) => each.length).map(([name, each]) =>
    element("section", {},
      element("h3", { class: name }, name),
      element("p", {}, MEANING[name]),
      element("ul", {}, ...each.map(({ query, words, beside }) =>
        element("li", {}, element("a", { href: follow(query, beside), "data-example": query, "data-with": JSON.stringify(beside) },
          element("code", {}, query), element("span", {}, words.join(", "))))))));
}
