// The weights of an OR of two operands, set by a slider that writes them into the query.

import { $, element, fill } from "./dom.js";
import { weighed, withWeights } from "./language.js";

/** Show the slider for a query that has two operands joined by |, or nothing; `change(query)` asks with other weights. */
export function showWeights(query, change) {
  const parts = weighed(query);
  const panel = $("weighing");
  const isGiven = parts?.every(({ weight }) => weight !== null);
  const total = isGiven ? parts[0].weight + parts[1].weight : 1;
  panel.hidden = parts?.length !== 2 || total <= 0;
  if (panel.hidden) return;
  const share = isGiven ? parts[0].weight / total : 0.5;
  const slider = $("or-share");
  if (slider && slider === document.activeElement && panel.dataset.of === parts.map(({ text }) => text).join("|")) {
    label(parts, Number(slider.value) / 100); // it is being moved: it stays where it is
    return;
  }
  panel.dataset.of = parts.map(({ text }) => text).join("|");
  fill(panel,
    element("span", { class: "share", id: "share-one" }),
    element("input", {
      type: "range", id: "or-share", min: 0, max: 100, step: 5, value: Math.round(100 * share), "aria-label": `The weight of ${parts[0].text}, in percent`,
      oninput: (event) => {
        const chosen = Number(event.target.value) / 100;
        label(parts, chosen);
        change(withWeights(parts, chosen));
      },
    }),
    element("span", { class: "share", id: "share-other" }));
  label(parts, share);
}

function label([one, other], share) {
  const percent = Math.round(100 * share);
  $("share-one").textContent = `${one.text} ${percent} %`;
  $("share-other").textContent = `${other.text} ${100 - percent} %`;
  $("or-share").setAttribute("aria-valuetext", `${one.text} ${percent} %, ${other.text} ${100 - percent} %`);
}
