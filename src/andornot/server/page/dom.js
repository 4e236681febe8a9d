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

/** Show these children instead of those that were there. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children);
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
