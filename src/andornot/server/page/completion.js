// Live completion of the word that is being typed: a combobox with a list.
// The field is a query, of which one word is completed, or a single word.

import { get } from "./api.js";
import { debounced, element, fill } from "./dom.js";
import { quoted, wordBefore } from "./language.js";

const MOST = 8;

export class Completion {
  #input;
  #list;
  #isWhole;
  #words = [];
  #isWord = false; // whether the text is a word itself
  #isLooking = false; // a list may come
  #active = -1;
  #space;
  #taken;
  #closed;
  #abort = null;
  #later = debounced(() => this.#look(), 60);

  /** Complete words in a field.
   *
   * `space()` names the space, `taken()` is called when a word was put in, `closed()` when the list is closed.
   * `isWhole` says that the field holds one word; `isOn()` whether there is anything to complete.
   */
  constructor(input, list, { space, taken, closed = () => {}, isWhole = false, isOn = () => true }) {
    this.#input = input;
    this.#list = list;
    this.#isWhole = isWhole;
    this.#space = space;
    this.#taken = taken;
    this.#closed = closed;
    this.#input.addEventListener("input", () => {
      if (!isOn()) return;
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

  /** Whether this word is being typed, and its completions are shown or will be. */
  isFor(word) {
    return (this.isOpen || this.#isLooking) && this.#typed()?.text === word;
  }

  /** The word that is being typed: its text and its beginning; or null. */
  #typed() {
    if (!this.#isWhole) return wordBefore(this.#input.value, this.#input.selectionStart);
    const text = this.#input.value.trim();
    return text ? { text, start: 0 } : null;
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
    const typed = this.#typed();
    if (!typed || document.activeElement !== this.#input) return this.close();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      const parameters = { beginning: typed.text, most: MOST };
      const space = this.#space();
      if (space) parameters.space = space;
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
        id: `${this.#list.id}-${place}`,
        "aria-selected": "false",
        onpointerdown: (event) => {
          event.preventDefault(); // the field keeps the focus
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
    this.#input.setAttribute("aria-activedescendant", `${this.#list.id}-${this.#active}`);
  }

  #take(place) {
    const typed = this.#typed();
    if (!typed) return;
    const word = this.#isWhole ? this.#words[place] : quoted(this.#words[place]);
    const after = this.#isWhole ? "" : this.#input.value.slice(this.#input.selectionStart);
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
      if (this.#active < 0 && (this.#isWord || this.#isLooking)) return this.close(); // the word is finished: the focus moves on
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
