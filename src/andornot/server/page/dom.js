// Elements are made here and nowhere else: what is shown is text, never markup.

export const $ = (id) => document.getElementById(id);

/** An element with attributes and children; strings become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const nameOf = (control) => control.getAttribute("aria-label") ?? control.textContent;

/** Show these children instead of those that were there; a control that is there again keeps the focus. */
export function fill(parent, ...children) {
  const active = parent.contains(document.activeElement) && document.activeElement !== parent ? document.activeElement : null;
  parent.replaceChildren(...children);
  if (active) [...parent.querySelectorAll(active.localName)].find((each) => nameOf(each) === nameOf(active))?.focus();
}

export function debounced(work, milliseconds) {
  let timer = 0;
  const later = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}
