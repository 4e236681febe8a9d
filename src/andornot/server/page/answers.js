// Ranked lists with bars on one scale: the answer, and the four post-processings side by side.

import { Failure, post } from "./api.js";
import { element, fill } from "./dom.js";
import { quoted } from "./language.js";

const WAYS = {
  none: ["as trained", "The vectors as they are."],
  uniform: ["uniform", "Less the plain mean of all words."],
  "all-but-the-top": ["all but the top", "Less the mean and the leading directions."],
  frequency: ["frequency", "Less the mean by frequency: the paper's."],
};

/** Return a list of words; a bar is as long as its score, of which 1 is the whole length. */
export function ranked(hits, follow) {
  return hits.map(({ word, score }) => {
    const length = element("i");
    length.style.width = `${Math.min(100, 100 * Math.abs(score))}%`;
    return element("li", {},
      element("a", { href: follow(quoted(word)), "data-follow": quoted(word), "data-word": word, dir: "auto" },
        element("span", { class: "word" }, word),
        element("span", { class: "score" }, score.toFixed(3)),
        element("span", { class: score < 0 ? "bar below" : "bar", "aria-hidden": "true" }, length)));
  });
}

/** Show the same query under each post-processing of the paper. */
export async function fourWays(panel, asked, possible, follow, signal) {
  const columns = await Promise.all(Object.entries(WAYS).map(async ([method, [name, how]]) => {
    const head = [element("h3", {}, name), element("p", { class: "how" }, how)];
    const chosen = method === asked.postprocess ? "chosen" : "";
    if (!possible.includes(method)) {
      return element("section", { class: chosen }, ...head, element("p", { class: "hint" }, "This space can't have it."));
    }
    try {
      const answer = await post("v1/ask", { ...asked, postprocess: method, picture: false }, signal);
      const list = element("ol", { class: "hits", "aria-label": name }, ...ranked(answer.hits, follow));
      return element("section", { class: chosen }, ...head, list);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return element("section", { class: chosen }, ...head, element("p", { class: "hint" }, error.message));
    }
  }));
  fill(panel, element("div", { class: "columns" }, ...columns));
}
