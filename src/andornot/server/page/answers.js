// Ranked lists with bars: the answer, and the four post-processings side by side.

import { Failure, post } from "./api.js";
import { element, fill } from "./dom.js";
import { quoted } from "./language.js";

const WAYS = {
  none: ["as trained", "none: the vectors as they are"],
  uniform: ["uniform", "less the plain mean of all words"],
  "all-but-the-top": ["all but the top", "less the mean and the leading directions"],
  frequency: ["frequency", "less the mean by frequency: the paper's"],
};

/** A list of words with bars as long as their scores; `follow` makes the address of a word. */
export function ranked(hits, follow) {
  const longest = Math.max(...hits.map((hit) => Math.abs(hit.score)), 1e-9);
  return hits.map(({ word, score }) => {
    const length = element("i");
    length.style.width = `${(100 * Math.abs(score)) / longest}%`;
    return element("li", {},
      element("a", { href: follow(quoted(word)), "data-follow": quoted(word), "data-word": word, dir: "auto" },
        element("span", { class: "word" }, word),
        element("span", { class: "score" }, score.toFixed(3)),
        element("span", { class: score < 0 ? "bar below" : "bar", "aria-hidden": "true" }, length)));
  });
}

/** A word under the pointer or the focus is shown in every list that has it. */
export function markSame(root) {
  const mark = (event) => {
    const word = event.target.closest?.("[data-word]")?.dataset.word;
    for (const link of root.querySelectorAll("[data-word]")) {
      link.classList.toggle("same", event.type !== "pointerout" && event.type !== "focusout" && link.dataset.word === word);
    }
  };
  for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) root.addEventListener(kind, mark);
}

/** The same query under each post-processing of the paper. */
export async function fourWays(panel, asked, possible, follow, signal) {
  const columns = await Promise.all(Object.entries(WAYS).map(async ([method, [name, how]]) => {
    const head = [element("h3", {}, name), element("p", { class: "how" }, how)];
    const chosen = method === asked.postprocess ? "chosen" : "";
    if (!possible.includes(method)) {
      return element("section", { class: chosen }, ...head, element("p", { class: "hint" }, "This space can't have it."));
    }
    try {
      const answer = await post("v1/ask", { ...asked, postprocess: method }, signal);
      const list = element("ol", { class: "hits", "aria-label": name }, ...ranked(answer.hits, follow));
      return element("section", { class: chosen }, ...head, list);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return element("section", { class: chosen }, ...head, element("p", { class: "hint" }, error.message));
    }
  }));
  fill(panel, element("div", { class: "columns" }, ...columns));
}
