// Live completion of the word that is being typed: a combobox with a list.

import { get } from "./api.js";
import { $, debounced, element, fill } from "./dom.js";
import { quoted, wordBefore } from "./language.js";

const MOST = 8;

export class Completion {
  #input = $("query");
  #list = $("completions");
  #words = [];
  #isWord = false; // whether what was typed is a word itself
  #isLooking = false; // a list may come
  #active = -1;
  #space;
  #taken;
  #closed;
  #abort = null;
  #later = debounced(() => this.#look(), 60);

  /** `space()` names the space, `taken()` is called when a word was put in, `closed()` when there is no list. */
  constructor(space, taken, closed) {
    this.#space = space;
    this.#taken = taken;
    this.#closed = closed;
    this.#input.addEventListener("input", () => {
      this.#isLooking = true;
      this.#later();
    });
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => this.close());
    this.#input.addEventListener("click", () => this.close());
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  /** Whether a word is being typed, and how it may go on is shown, or will be. */
  isFor(word) {
    const before = wordBefore(this.#input.value, this.#input.selectionStart);
    return (this.isOpen || this.#isLooking) && before !== null && before.text === word;
  }

  close() {
    this.#later.cancel();
    this.#isLooking = false;
    this.#abort?.abort();
    this.#list.hidden = true;
    this.#active = -1;
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
    this.#closed();
  }

  async #look() {
    this.#abort?.abort();
    const typed = wordBefore(this.#input.value, this.#input.selectionStart);
    if (!typed || document.activeElement !== this.#input) return this.close();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      const parameters = { beginning: typed.text, most: MOST };
      if (this.#space()) parameters.space = this.#space();
      const { words, is_word: isWord } = await get("v1/complete", parameters, signal);
      if (signal.aborted) return undefined;
      this.#isWord = isWord;
      this.#show(words.filter((word) => word !== typed.text));
    } catch {
      if (!signal.aborted) this.close(); // typing goes on without
    }
    return undefined;
  }

  #show(words) {
    if (!words.length) {
      this.close();
      return;
    }
    this.#isLooking = false;
    this.#words = words;
    this.#active = -1;
    this.#input.removeAttribute("aria-activedescendant");
    const options = words.map((word, place) =>
      element("li", {
        role: "option",
        id: `completion-${place}`,
        "aria-selected": "false",
        onpointerdown: (event) => {
          event.preventDefault(); // the box keeps the focus
          this.#take(place);
        },
      }, word));
    fill(this.#list, ...options);
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
  }

  #move(step) {
    const count = this.#words.length;
    this.#active = (this.#active + step + count + (this.#active < 0 && step < 0 ? 1 : 0)) % count;
    [...this.#list.children].forEach((option, place) =>
      option.setAttribute("aria-selected", String(place === this.#active)));
    this.#input.setAttribute("aria-activedescendant", `completion-${this.#active}`);
  }

  #take(place) {
    const typed = wordBefore(this.#input.value, this.#input.selectionStart);
    if (!typed) return;
    const word = quoted(this.#words[place]);
    const after = this.#input.value.slice(this.#input.selectionStart);
    this.#input.value = this.#input.value.slice(0, typed.start) + word + after;
    const end = typed.start + word.length;
    this.#input.setSelectionRange(end, end);
    this.#taken();
    this.close();
  }

  #key(event) {
    if (!this.isOpen) return undefined;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      this.#move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Tab" && !event.shiftKey) {
      if (this.#active < 0 && (this.#isWord || this.#isLooking)) return this.close(); // finished: on to what is next
      event.preventDefault();
      this.#take(Math.max(0, this.#active));
    } else if (event.key === "Enter" && this.#active >= 0) {
      event.preventDefault();
      this.#take(this.#active);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
    return undefined;
  }
}
