// The field of the query: it grows with its text, and marks the place of an error in it.

import { $ } from "./dom.js";

/** Make the field as high as its text. */
export function grow() {
  const field = $("query");
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

/** Underline the query from a column (from 1) for some characters, or nothing if the column is null. */
export function mark(query, column, length = 1) {
  const marks = $("marks");
  if (!column) {
    marks.replaceChildren();
    return;
  }
  const letters = [...query]; // columns count characters
  const wrong = document.createElement("mark");
  wrong.textContent = letters.slice(column - 1, column - 1 + Math.max(1, length)).join("") || "\u2007";
  marks.replaceChildren(letters.slice(0, column - 1).join(""), wrong, letters.slice(column - 1 + length).join(""));
}

/** Put a text where the cursor is; words and signs are kept apart by a space. */
export function insert(sign) {
  const field = $("query");
  const { selectionStart: start, selectionEnd: end, value } = field;
  const space = "&|@".includes(sign);
  const before = space && start > 0 && !/\s$/.test(value.slice(0, start)) ? " " : "";
  const after = space && !/^\s/.test(value.slice(end)) ? " " : "";
  field.setRangeText(before + sign + after, start, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
