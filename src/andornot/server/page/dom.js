// Elements are made here and nowhere else: everything shown is text, never markup.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Make an element with attributes and children; strings become text. */
export const element = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);

/** Make an element of an SVG. */
export const shape = (name, attributes = {}, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

const nameOf = (control) => control.getAttribute("aria-label") ?? control.textContent;

/** Replace the children of an element; a control that is there again keeps the focus. */
export function fill(parent, ...children) {
  const active = parent.contains(document.activeElement) && document.activeElement !== parent ? document.activeElement : null;
  parent.replaceChildren(...children);
  if (active) [...parent.querySelectorAll(active.localName)].find((each) => nameOf(each) === nameOf(active))?.focus();
}

/** Return a function that runs the work once no other call has come for some milliseconds. */
export function debounced(work, milliseconds) {
  let timer = 0;
  const later = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** Copy a text; a button says for a moment whether it was copied. */
export async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    $("status").textContent = "copied";
  } catch {
    button.textContent = "Not allowed to copy";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}
