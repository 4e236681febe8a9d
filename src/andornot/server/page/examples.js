// Where nothing has been asked: expressions that the default model answers well.

import { element } from "./dom.js";

const NEGATIVE = ["-5", "-4", "-3", "-2", "-1"];
const POSITIVE = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

const GROUPS = [
  {
    name: "and", says: "The sum of vectors: what stands near both.",
    queries: [["royal & woman", "queen, lady"], ["ice & sport", "hockey, skiing"], ["moon & landing", "lunar, apollo"], ["river & bank", "estuary, waterway"]],
  },
  {
    name: "or", says: "The mean: what stands near either.",
    queries: [["violin | piano", "cello, concerto"], ["sea | lake", "shores, rivers"], ["0.5*wine | 0.5*beer", "beverage, brandy"], ["(violin | piano) & composer", "pianist, concerto"]],
  },
  {
    name: "not", says: "The other direction, seen from the origin of a category. Move it in the plane.",
    queries: [
      ["apple & !fruit", "macintosh, intel"],
      ["!day @ {day, night, morning, evening}", "morning, evening"],
      ["!hot @ {hot, cold, warm, cool}", "warm"],
      ["bank & !river @ {river, money, lake, finance}", "finance, monetary"],
      [`!1 @ {${POSITIVE.join(", ")}}`, "the numbers of the paper, weighed alike", NEGATIVE, "uniform"],
    ],
  },
];

/** The examples, as links; `follow(query, with, weights)` makes an address. */
export function examples(follow) {
  return GROUPS.map(({ name, says, queries }) =>
    element("section", {},
      element("h3", { class: name }, name),
      element("ul", {}, ...queries.map(([query, finds, also, weights]) =>
        element("li", {}, element("a", { href: follow(query, also, weights), "data-follow": query, "data-with": JSON.stringify(also ?? []), "data-weights": weights },
          query, element("span", {}, finds))))),
      element("p", {}, says)));
}
