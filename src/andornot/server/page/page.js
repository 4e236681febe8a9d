// The page: what the address says is asked, and what is asked is in the address.

import { address, read, show } from "./address.js";
import { fourWays, markSame, ranked } from "./answers.js";
import { Failure, get, post } from "./api.js";
import { showChips } from "./category.js";
import { Completion } from "./completion.js";
import { $, debounced, element, fill } from "./dom.js";
import { examples } from "./examples.js";
import { explain } from "./explanation.js";
import { hasCategory, negates, quoted, withCategory } from "./language.js";
import { Plane } from "./plane.js";
import { startTheme } from "./theme.js";

const VIEWS = ["plane", "four", "why"];
const SIZES = ["5", "10", "20", "50"];
const PATIENCE = 600; // milliseconds before half an expression is called wrong
let state = read();
let spaces = [];
let abort = null; // what is under way for the last query
let answered = null; // the last answer, with what was asked for it
let withheld = null; // what is wrong with a word that is still being typed
let isCommitted = true; // the query was asked for, not just typed
let isNew = false; // what was typed since is no entry of the history yet
let toggleWord = () => {};

const completion = new Completion(() => space()?.name, typed, () => {
  if (withheld) showProblem(withheld);
  withheld = null;
});
const plane = new Plane($("plot"), (word) => toggleWord(word));
const space = () => spaces.find((each) => each.name === state.space) ?? spaces[0];
const follow = (query, also = [], weights = state.weights) => address({ ...state, q: query, with: also, weights, view: "" });

// --- asking ----------------------------------------------------------------------------------

/** What the service is asked, as the page has it. */
function asked() {
  return {
    query: state.q,
    space: space().name,
    postprocess: state.postprocess || space().default_postprocess,
    weights: state.weights || space().default_weights,
    exact: state.exact === "1",
  };
}

const asking = () => ({ ...asked(), k: Number(state.k), everywhere: state.everywhere === "1" });

/** A state as the spaces allow it: what one can't do is left to what is usual. */
function allowed(wanted) {
  const named = spaces.some((each) => each.name === wanted.space) ? wanted.space : "";
  const { postprocessings, weights, context_vectors: hasContexts } = spaces.find((each) => each.name === named) ?? spaces[0];
  return {
    ...wanted,
    space: named,
    k: SIZES.includes(wanted.k) ? wanted.k : "10",
    postprocess: postprocessings.includes(wanted.postprocess) ? wanted.postprocess : "",
    weights: weights.includes(wanted.weights) ? wanted.weights : "",
    exact: hasContexts ? wanted.exact : "",
  };
}

/** Ask what the state says, and show it.
 *
 * `again` keeps the place in the history; `typing` is patient with what is not finished yet.
 */
async function ask({ again = false, typing = false } = {}) {
  later.cancel();
  withheld = null;
  if (!spaces.length) return typing ? undefined : connect();
  show(state, { again });
  isNew = false;
  if (!typing) isCommitted = true;
  document.title = state.q.trim() ? `${state.q} – and or not` : "and or not";
  abort?.abort();
  abort = new AbortController();
  const { signal } = abort;
  if (!state.q.trim()) return welcome();
  $("found").classList.add("waiting");
  try {
    const request = asking();
    const { with: also } = state;
    const { postprocessings } = space();
    const answer = await post("v1/ask", request, signal);
    answered = { answer, request, also, postprocessings };
    showProblem(null);
    showAnswer(answer);
    await showView(signal);
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    if (!(error instanceof Failure)) throw error;
    if (typing) await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    if (signal.aborted) return undefined;
    const isBeginning = typing && completion.isFor(error.facts.word);
    withheld = isBeginning ? error.facts : null;
    showProblem(isBeginning ? null : error.facts);
  }
  if (!signal.aborted) $("found").classList.remove("waiting");
  return undefined;
}

const later = debounced(() => ask({ again: !isNew, typing: true }), 250);

/** What was typed is asked soon; the first of it since the last query is a new entry of the history. */
function typed() {
  state = { ...state, q: $("query").value, with: [] };
  withheld = null;
  fill($("suggestions")); // they were for another text
  isNew ||= isCommitted;
  isCommitted = false;
  later();
}

function change(changes, options) {
  state = { ...state, ...changes };
  if ("q" in changes && $("query").value !== state.q) $("query").value = state.q;
  return ask(options);
}

function welcome() {
  answered = null;
  $("found").hidden = true;
  $("welcome").hidden = false;
  showProblem(null);
}

// --- showing ---------------------------------------------------------------------------------

function showAnswer(answer) {
  $("welcome").hidden = true;
  $("found").hidden = false;
  const p = answer.probability === null ? "" : `, p ${answer.probability_is_bound ? "≤" : "="} ${answer.probability.toPrecision(3)}`;
  const where = answer.category === null ? `among ${space().words.toLocaleString("en")} words` : `among the ${answer.category.length} words of its category`;
  $("reading").textContent = [`${answer.formula}${p}, ${where}`, ...answer.readings].join(". ");
  fill($("hits"), ...ranked(answer.hits, follow));
  fill($("notes"), ...answer.notes.map((note) => element("li", {}, note)));
  $("status").textContent = answer.hits.length ? `${answer.hits.length} words; the first is ${answer.hits[0].word}` : "no words";
}

/** What is wrong with the query, under the column where it is. */
function showProblem(facts) {
  $("problem").hidden = facts === null;
  $("query").setAttribute("aria-invalid", String(facts !== null));
  if (facts === null) return;
  const { column } = facts;
  $("before").parentElement.hidden = !column;
  if (column) {
    const before = [...state.q].slice(0, column - 1).join(""); // columns count characters
    $("before").textContent = before;
    $("before").style.marginLeft = `${-$("query").scrollLeft}px`;
  }
  $("message").textContent = facts.error;
  const offers = facts.suggestions ?? [];
  fill($("suggestions"), ...offers.map((word) =>
    element("button", { type: "button", onclick: () => replaceWord(facts, word) }, word)));
}

/** Follow a suggestion: the other spelling stands where the unknown word stood. */
function replaceWord({ word, column }, other) {
  const letters = [...state.q];
  const start = (column ?? 1) - 1;
  const written = letters[start] === '"' ? `"${word}"` : word;
  const end = start + [...written].length;
  const q = letters.slice(0, start).join("") + quoted(other) + letters.slice(end).join("");
  $("query").focus();
  change({ q });
}

const view = () => (VIEWS.includes(state.view) ? state.view : negates(answered?.answer.formula ?? state.q) ? "plane" : "four");

/** Show the open view of the last answer, whatever has been typed since. */
async function showView(signal) {
  const open = view();
  const { k, everywhere, ...request } = answered.request;
  for (const name of VIEWS) {
    const tab = $(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === open));
    tab.tabIndex = name === open ? 0 : -1;
    $(name).hidden = name !== open;
  }
  try {
    if (open === "four") await fourWays($("four"), answered.request, answered.postprocessings, follow, signal);
    if (open === "why") explain($("why"), await post("v1/explain", answered.request, signal));
    if (open === "plane") await showPlane(request, signal);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    $("status").textContent = error.message;
    if (open !== "plane") fill($(open), element("p", { class: "hint" }, error.message));
    else showNoPlane(error.message);
  }
}

// --- the plane -------------------------------------------------------------------------------

async function showPlane(request, signal) {
  const { formula, hits: all } = answered.answer;
  // with a category the axes stay when it changes, so what depends on it is left aside
  const hits = hasCategory(formula) ? [] : all.slice(0, 10).map((hit) => hit.word);
  // of a category, rare words would take the axes for themselves, their vectors being the noisiest
  const axes = hasCategory(formula) ? space().weights.find((name) => name === "frequency") ?? "uniform" : "uniform";
  const found = await project({ ...request, axes }, hits, signal);
  found.axes = [axes, request.space, request.postprocess];
  const universe = found.words.map((word) => word.word).filter((word) => !hits.includes(word) || found.categories.some((c) => c.words.includes(word)));
  const changeable = showCategory(found, universe);
  const share = found.explained.map((part) => `${Math.round(100 * part)} %`).join(" and ");
  const weighed = axes === "frequency" ? "weighed by frequency" : "weighed alike";
  $("legend").hidden = false;
  $("variance").textContent = `The two principal axes of these words, ${weighed}, hold ${share} of their variance. Dots are larger for frequent words${changeable ? "; click one to take it in or out" : ""}.`;
  const label = request.query.replace(/\s*(@|GIVEN\b).*$/s, "").trim();
  await plane.draw(found, label.length > 24 ? "result" : label);
}

/** The plane of a query, some words and those of the address; of these, what the space doesn't know is dropped. */
async function project(request, hits, signal) {
  for (;;) {
    const { also } = answered;
    try {
      return await post("v1/project", { ...request, words: [...new Set([...also, ...hits])] }, signal);
    } catch (error) {
      if (!(error instanceof Failure) || !also.includes(error.facts.word)) throw error;
      answered.also = also.filter((word) => word !== error.facts.word);
    }
  }
}

/** Where there is no plane: why, and nothing of another. */
function showNoPlane(why) {
  plane.clear();
  toggleWord = () => {};
  $("category").hidden = true;
  $("legend").hidden = true;
  $("variance").textContent = why;
}

/** Show what can be changed of the category; whether that is anything. */
function showCategory(found, universe) {
  const [category] = found.categories;
  const operands = found.words.filter((word) => word.is_operand).map((word) => word.word);
  const { query, weights } = answered.request;
  const changeable = category && found.categories.length === 1 && withCategory(query, category.words) !== null;
  $("category").hidden = !changeable;
  toggleWord = () => {};
  if (!changeable) return false;
  const order = [...universe].sort((a, b) => (Number(a) - Number(b)) || 0);
  $("category-title").textContent = category.origin === "written out" ? "The category." : `The category: ${category.origin}.`;
  const askWith = (words, operand = null) => {
    const stays = order.filter((word) => !words.includes(word));
    const q = operand === null ? withCategory(query, words) : `!${quoted(operand)} @ {${words.map(quoted).join(", ")}}`;
    return change({ q, with: stays });
  };
  toggleWord = showChips({
    universe: order,
    members: category.words,
    operands: operands.filter((word) => category.words.includes(word)),
    change: askWith,
    add: (word) => askWith([...category.words, word]),
  });
  fill($("weighing"), ...space().weights.map((name) =>
    element("button", { type: "button", "aria-pressed": String(name === weights), onclick: () => change({ weights: name }).then(showSettings) },
      name === "uniform" ? "weigh alike" : "weigh by frequency")));
  return true;
}

// --- what people do --------------------------------------------------------------------------

function showSettings() {
  const { postprocess, weights } = asked();
  const options = (names, chosen) => names.map((name) => element("option", { value: name, selected: name === chosen }, name));
  fill($("space"), ...options(spaces.map((each) => each.name), space().name));
  fill($("postprocess"), ...options(space().postprocessings, postprocess));
  fill($("weights"), ...options(space().weights, weights));
  $("k").value = state.k;
  $("exact").checked = state.exact === "1";
  $("exact").disabled = !space().context_vectors;
  $("everywhere").checked = state.everywhere === "1";
}

function listen() {
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    completion.close();
    change({ q: $("query").value }, { again: !isCommitted && !isNew });
  });
  $("query").addEventListener("input", typed);
  $("query").addEventListener("blur", () => { isCommitted = true; });
  $("query").addEventListener("scroll", () => { $("before").style.marginLeft = `${-$("query").scrollLeft}px`; });
  $("space").addEventListener("change", () => {
    state = allowed({ ...state, space: $("space").value === spaces[0].name ? "" : $("space").value, postprocess: "", weights: "" });
    showSettings();
    fill($("examples"), ...examples(follow));
    ask();
  });
  for (const name of ["postprocess", "weights", "k"]) $(name).addEventListener("change", () => change({ [name]: $(name).value }));
  for (const name of ["exact", "everywhere"]) $(name).addEventListener("change", () => change({ [name]: $(name).checked ? "1" : "" }));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-follow]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const { follow: q, with: also = "[]", weights = state.weights } = link.dataset;
    change({ q, with: JSON.parse(also), weights, view: "" });
    showSettings();
    $("query").focus();
  });
  $("home").addEventListener("click", (event) => {
    event.preventDefault();
    change({ q: "", with: [], view: "" });
    $("query").focus();
  });
  window.addEventListener("popstate", () => {
    state = spaces.length ? allowed(read()) : read();
    $("query").value = state.q;
    if (spaces.length) showSettings();
    ask({ again: true });
  });
  $("share").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      $("status").textContent = "The link was copied";
      $("share").textContent = "Copied";
    } catch {
      $("share").textContent = "It is in the address bar";
    }
    setTimeout(() => { $("share").textContent = "Copy link"; }, 1500);
  });
  listenToTabs();
  listenToKeys();
}

function openView(name) {
  state = { ...state, view: name };
  show(state, { again: true });
  return showView(abort?.signal).catch((error) => { if (error.name !== "AbortError") throw error; });
}

function listenToTabs() {
  $("tabs").addEventListener("click", (event) => {
    const name = event.target.dataset?.view;
    if (name && answered) openView(name);
  });
  $("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || !answered) return;
    event.preventDefault();
    const next = VIEWS[(VIEWS.indexOf(view()) + step + VIEWS.length) % VIEWS.length];
    openView(next);
    $(`tab-${next}`).focus();
  });
}

function listenToKeys() {
  $("help").addEventListener("click", () => $("help-dialog").showModal());
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input, select, textarea") || document.querySelector("dialog[open]");
    if (event.key === "Escape" && event.target === $("query")) return $("query").blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    if (event.key === "/") {
      event.preventDefault();
      $("query").focus();
      $("query").select();
    } else if (event.key === "?") $("help-dialog").showModal();
    else if (event.key === "t") $("theme").click();
    else if (answered && VIEWS[Number(event.key) - 1]) openView(VIEWS[Number(event.key) - 1]);
    return undefined;
  });
}

async function start() {
  startTheme($("theme"), () => plane.redraw());
  markSame($("found"));
  listen();
  $("query").value = state.q;
  fill($("examples"), ...examples(follow));
  await connect();
}

/** Find out what is served, and ask what the address says. */
async function connect() {
  try {
    ({ spaces } = await get("v1/spaces"));
  } catch (error) {
    showProblem(error.facts ?? { error: error.message });
    return;
  }
  state = allowed({ ...state, q: $("query").value });
  showSettings();
  await ask({ again: !isNew, typing: !isCommitted }); // something may have been typed meanwhile
}

start();
