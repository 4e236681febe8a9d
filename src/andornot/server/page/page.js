// The page: the address holds the query, the query is asked, and its answer is shown.

import { address, read, show } from "./address.js";
import { fourWays, ranked } from "./answers.js";
import { Failure, get, post } from "./api.js";
import { showCategory } from "./category.js";
import { Completion } from "./completion.js";
import { $, copy, debounced, element, fill } from "./dom.js";
import { examples } from "./examples.js";
import { explain } from "./explanation.js";
import { grow, insert, mark } from "./field.js";
import { quoted, swapped } from "./language.js";
import { Picture, lightTogether } from "./picture.js";
import { respelled, showProblem } from "./problem.js";
import { startShortcuts } from "./shortcuts.js";
import { listen as listenToTakeaway } from "./takeaway.js";
import { startTheme } from "./theme.js";
import { showWeights } from "./weights.js";

const FIRST = "royal & woman"; // asked where the address has no query
const FIRST_TEXT = "a mountain that throws out lava"; // described where the address has no text
const VIEWS = ["why", "four"];
const SIZES = ["5", "10", "20", "50"];
const PATIENCE = 600; // milliseconds before an unfinished query is called wrong

let state = read();
let first = FIRST;
let spaces = [];
let abort = null; // ends the requests of the last query
let answered = null; // the last answer, with its request
let early = null; // the first request, sent before the spaces are known
let withheld = null; // the error of a word that is still being typed
let isCommitted = true; // the query was asked for, not just typed
let isNew = false; // the text typed since is not an entry of the history yet

const space = () => spaces.find((each) => each.name === state.space) ?? spaces[0];
const isDescribing = () => state.mode === "describe";
const query = () => state.q.trim() || (isDescribing() ? FIRST_TEXT : first);
const follow = (q) => address({ ...state, q, mode: "", with: [], view: "" });
const followExample = (q, beside) => address({ ...read(""), space: state.space, q, with: beside });
const picture = new Picture((word) => change({ q: quoted(word), mode: "", with: [], view: "" }));
const completion = new Completion($("query"), $("completions"), {
  space: () => space()?.name,
  taken: () => typed(),
  closed: () => {
    if (withheld) showProblem(withheld, change);
    withheld = null;
  },
  isOn: () => !isDescribing(),
});

// --- asking ----------------------------------------------------------------------------------

/** Return the path and the body of the request that a state stands for; the service fills in defaults. */
function requestOf({ space: name, k, postprocess, weights, exact, everywhere }) {
  const common = { ...(name && { space: name }), k: SIZES.includes(k) ? Number(k) : 10 };
  if (isDescribing()) return ["v1/describe", { text: query(), ...common }];
  return ["v1/ask", {
    query: query(),
    ...common,
    ...(postprocess && { postprocess }),
    ...(weights && { weights }),
    ...(exact === "1" && { exact: true }),
    ...(everywhere === "1" && { everywhere: true }),
    picture: exact !== "1", // the exact one takes longer: the list doesn't wait for it
  }];
}

/** Send the request of the state, or take the one that was sent early. */
function send(signal) {
  const [path, body] = requestOf(state);
  const key = JSON.stringify([path, body]);
  const sent = early?.key === key ? early.answer : post(path, body, signal);
  early = null;
  return sent.then((answer) => ({ answer, body }));
}

/** Return a state as the spaces allow it: settings that one can't have are left to their defaults. */
function allowed(wanted) {
  const named = spaces.some((each) => each.name === wanted.space) ? wanted.space : "";
  const { postprocessings, weights, context_vectors: hasContexts } = spaces.find((each) => each.name === named) ?? spaces[0];
  return {
    ...wanted,
    space: named,
    mode: wanted.mode === "describe" ? "describe" : "",
    k: SIZES.includes(wanted.k) ? wanted.k : "10",
    postprocess: postprocessings.includes(wanted.postprocess) ? wanted.postprocess : "",
    weights: weights.includes(wanted.weights) ? wanted.weights : "",
    exact: hasContexts ? wanted.exact : "",
  };
}

/** Ask the query of the state, and show its answer.
 *
 * `again` keeps the entry of the history; `typing` is patient with a query that is not finished yet.
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
  $("found").classList.add("waiting");
  try {
    const { answer, body } = await send(signal);
    if (signal.aborted) return undefined;
    answered = { answer, body, space: space(), beside: state.with };
    showProblem(null);
    showAnswer(answer);
    $("found").classList.remove("waiting");
    await Promise.all([showPicture(signal), showCategory(answered, change, signal), showView(signal)]);
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    if (!(error instanceof Failure)) throw error;
    if (!state.q.trim() && error.facts.kind === "unknown-word" && first === FIRST) return askOwnExample();
    if (typing) await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    if (signal.aborted) return undefined;
    const isBeginning = typing && completion.isFor(error.facts.word);
    withheld = isBeginning ? error.facts : null;
    showProblem(isBeginning ? null : error.facts, change);
    showStale();
  }
  if (!signal.aborted) $("found").classList.remove("waiting");
  return undefined;
}

/** The space does not know the words of the first query: ask the first of its own examples. */
async function askOwnExample() {
  const { examples: groups } = await get("v1/examples", { space: space().name });
  const own = Object.values(groups).flat()[0]?.query;
  $("found").classList.remove("waiting");
  if (!own) {
    $("query").value = "";
    return undefined;
  }
  first = own;
  showQuery();
  return ask({ again: true });
}

const later = debounced(() => ask({ again: !isNew, typing: true }), 250);

/** The text is asked soon; the first of it since the last query is a new entry of the history. */
function typed() {
  state = { ...state, q: $("query").value, with: [] };
  withheld = null;
  grow();
  mark("", null);
  fill($("fixes")); // they were for another text
  showOperations();
  isNew ||= isCommitted;
  isCommitted = false;
  if (state.q.trim()) later();
  else later.cancel();
}

function change(changes, options) {
  state = { ...state, ...changes };
  if ("q" in changes || "mode" in changes) showQuery();
  return ask(options);
}

// --- showing ---------------------------------------------------------------------------------

/** Show the query of the state in its field. */
function showQuery() {
  if (state.q.trim() !== $("query").value.trim() || !state.q.trim()) $("query").value = query();
  for (const button of $("modes").children) button.setAttribute("aria-pressed", String(button.dataset.mode === state.mode));
  document.body.classList.toggle("describing", isDescribing());
  $("query").placeholder = isDescribing() ? FIRST_TEXT : first;
  $("query-label").textContent = isDescribing() ? "A description, in plain language" : "Words joined by AND, OR and NOT";
  grow();
  mark("", null);
  showOperations();
}

/** Show AND, OR and NOT where they can be swapped. */
function showOperations() {
  const ways = isDescribing() ? null : swapped($("query").value);
  $("operations").hidden = !ways;
  if (!ways) return;
  for (const button of $("operations").children) {
    const { operation } = button.dataset;
    button.setAttribute("aria-pressed", String(operation === ways.chosen));
    button.title = ways[operation];
  }
}

function showAnswer(answer) {
  $("found").hidden = false;
  $("found").classList.remove("stale");
  $("stale").hidden = true;
  const isText = answer.measure === "description";
  const p = answer.probability === null ? "" : `p ${answer.probability_is_bound ? "≤" : "="} ${answer.probability.toPrecision(3)}, `;
  const where = answer.category === null ? `among ${space().words.toLocaleString("en")} words` : `among the ${answer.category.length} words of its category`;
  $("sentence").textContent = answer.sentence;
  $("reading").textContent = [isText ? where : `${answer.formula}: ${p}${where}`, ...answer.readings].map((text) => `${text}.`).join(" ");
  fill($("hits"), ...ranked(answer.hits, follow));
  fill($("notes"), ...answer.notes.map((note) => element("li", {}, note)), ...respelled(answer, change));
  $("status").textContent = answer.sentence;
  $("why").hidden = $("four").hidden = $("take-svg").hidden = isText;
  if (isText) picture.clear();
  else if (!answer.picture) picture.wait();
  showWeights(isText ? "" : answer.query, (q) => change({ q }, { again: true }));
}

/** Show the picture; an exact one is asked for when the list is there. */
async function showPicture(signal) {
  const { answer, body } = answered;
  if (answer.measure === "description") return;
  const drawn = answer.picture ?? (await post("v1/ask", { ...body, picture: true }, signal)).picture;
  answer.picture = drawn;
  picture.draw(drawn);
}

/** The last answer is of another query than the field's: dim it, and say so. */
function showStale() {
  if (!answered) return;
  $("found").classList.add("stale");
  $("stale").hidden = false;
  fill($("stale"), "The last answer, to ", element("code", {}, answered.answer.query));
}

/** Show the view that is open, of the last answer. */
async function showView(signal) {
  if (!answered || answered.answer.measure === "description") return;
  for (const name of VIEWS) $(name).open = state.view === name;
  const panel = VIEWS.includes(state.view) ? $(`${state.view}-content`) : null;
  if (!panel) return;
  const { body, space: asked } = answered;
  try {
    const { picture: _, ...request } = body;
    if (state.view === "why") explain(panel, await post("v1/explain", request, signal));
    else await fourWays(panel, { postprocess: asked.default_postprocess, ...request }, asked.postprocessings, follow, signal);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    $("status").textContent = error.message;
    fill(panel, element("p", { class: "hint" }, error.message));
  }
}

async function showExamples() {
  try {
    const { examples: groups } = await get("v1/examples", { space: space().name });
    fill($("examples"), ...examples(groups, followExample));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    fill($("examples"), element("p", { class: "hint" }, error.message));
  }
}

function showSettings() {
  const { default_postprocess: usual, default_weights: alike, postprocessings, weights, context_vectors: hasContexts, name } = space();
  const options = (names, chosen) => names.map((each) => element("option", { value: each, selected: each === chosen }, each));
  $("space-choice").hidden = spaces.length < 2;
  fill($("space"), ...options(spaces.map((each) => each.name), name));
  fill($("postprocess"), ...options(postprocessings, state.postprocess || usual));
  fill($("weights"), ...options(weights, state.weights || alike));
  $("k").value = state.k;
  $("exact").checked = state.exact === "1";
  $("exact").disabled = !hasContexts;
  $("everywhere").checked = state.everywhere === "1";
  $("lesson-link").href = state.space ? `lesson.html?${new URLSearchParams({ space: state.space })}` : "lesson.html";
}

// --- controls --------------------------------------------------------------------------------

function listen() {
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    completion.close();
    change({ q: $("query").value.trim() }, { again: !isCommitted && !isNew });
  });
  $("query").addEventListener("input", typed);
  $("query").addEventListener("blur", () => { isCommitted = true; });
  $("query").addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    if (event.key === "Enter") {
      event.preventDefault();
      $("form").requestSubmit();
    } else if (event.key === "Escape") $("query").blur();
  });
  $("signs").addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  $("signs").addEventListener("click", (event) => {
    if (event.target.matches("button")) insert(event.target.textContent);
  });
  $("operations").addEventListener("click", (event) => {
    const ways = swapped($("query").value);
    if (ways && event.target.dataset.operation) change({ q: ways[event.target.dataset.operation], with: [] });
  });
  $("modes").addEventListener("click", (event) => {
    const { mode } = event.target.dataset;
    if (mode === undefined || mode === state.mode) return;
    change({ mode, q: "", with: [], view: "" });
    $("query").focus();
    $("query").select();
  });
  listenToSettings();
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-follow], a[data-example]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const { follow: word, example, with: beside } = link.dataset;
    const changes = word === undefined ? { ...read(""), space: state.space, q: example, with: JSON.parse(beside) } : { q: word, mode: "", with: [], view: "" };
    change(changes);
    showSettings();
    scrollTo({ top: 0 });
    $("query").focus({ preventScroll: true });
  });
  $("home").addEventListener("click", (event) => {
    event.preventDefault();
    change({ q: "", mode: "", with: [], view: "" });
    $("query").focus();
    $("query").select();
  });
  window.addEventListener("popstate", () => {
    state = spaces.length ? allowed(read()) : read();
    $("query").value = state.q;
    showQuery();
    if (spaces.length) showSettings();
    ask({ again: true });
  });
  $("share").addEventListener("click", () => copy(location.href, $("share")));
  listenToTakeaway(() => ({ ...answered, request: { space: answered.space.name, ...answered.body } }));
  for (const name of VIEWS) {
    $(name).addEventListener("toggle", () => {
      if ($(name).open === (state.view === name)) return;
      openView($(name).open ? name : "");
    });
  }
  $("help").addEventListener("click", () => $("help-dialog").showModal());
  startShortcuts({
    "/": () => {
      $("query").focus();
      $("query").select();
    },
    "?": () => $("help-dialog").showModal(),
    t: () => $("theme").click(),
    1: () => openView(state.view === "why" ? "" : "why"),
    2: () => openView(state.view === "four" ? "" : "four"),
  });
}

function listenToSettings() {
  $("space").addEventListener("change", () => {
    state = allowed({ ...state, space: $("space").value === spaces[0].name ? "" : $("space").value, postprocess: "", weights: "" });
    first = FIRST;
    showQuery();
    showSettings();
    showExamples();
    ask();
  });
  for (const name of ["postprocess", "weights", "k"]) $(name).addEventListener("change", () => change({ [name]: $(name).value }));
  for (const name of ["exact", "everywhere"]) $(name).addEventListener("change", () => change({ [name]: $(name).checked ? "1" : "" }));
}

function openView(name) {
  state = { ...state, view: name };
  show(state, { again: true });
  return showView(abort?.signal).catch((error) => { if (error.name !== "AbortError") throw error; });
}

function start() {
  const [path, body] = requestOf(state);
  early = { key: JSON.stringify([path, body]), answer: post(path, body) };
  early.answer.catch(() => {}); // it is handled where it is awaited
  startTheme($("theme"));
  lightTogether($("found"));
  listen();
  $("query").value = state.q;
  showQuery();
  if (!matchMedia("(pointer: coarse)").matches) {
    $("query").focus();
    $("query").select();
  }
  return connect();
}

/** Find out which spaces are served, and ask what the address says. */
async function connect() {
  try {
    ({ spaces } = await get("v1/spaces"));
  } catch (error) {
    early = null;
    showProblem(error.facts ?? { error: error.message }, change);
    return;
  }
  state = allowed(state);
  showSettings();
  await ask({ again: !isNew, typing: !isCommitted }); // something may have been typed meanwhile
  await showExamples();
}

start();
