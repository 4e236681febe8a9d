// Single keys do something anywhere but in a field. They can be turned off.

import { $ } from "./dom.js";

const KEPT = "andornot-shortcuts";

/** Listen to keys; `actions` has a function for each. */
export function startShortcuts(actions) {
  const box = $("shortcuts");
  box.checked = localStorage.getItem(KEPT) !== "off";
  box.addEventListener("change", () => localStorage.setItem(KEPT, box.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const isBusy = event.target.matches?.("input, select, textarea") || document.querySelector("dialog[open]");
    if (!box.checked || isBusy || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  });
}
