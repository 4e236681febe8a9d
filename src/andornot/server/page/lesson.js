// The lesson: the origin moves between its stops, and ranks and the error of PMI follow.

import { Failure, get } from "./api.js";
import { $, element, fill, shape } from "./dom.js";
import { startTheme } from "./theme.js";

const LOWEST = 12; // the last rank that is drawn; words below it are on the last line
const ROW = 22; // pixels
const LEFT = 8;
const RIGHT = 250;
const TEXT = 262; // where the words begin
const BINS = 40;

const named = new URLSearchParams(location.search).get("space");

/** Draw the ranks of the words of a query along the way; return a function that shows a step. */
function drawTrack({ query, words, ranks }, steps) {
  const x = (step) => LEFT + (step / steps) * (RIGHT - LEFT);
  const y = (rank) => 14 + (Math.min(rank, LOWEST) - 1) * ROW;
  const deepest = Math.min(LOWEST, Math.max(...ranks.flat()));
  const cursor = shape("line", { class: "cursor", y1: 2, y2: y(deepest) + 10 });
  const groups = words.map((word, index) => {
    const points = ranks[index].map((rank, step) => `${x(step).toFixed(1)},${y(rank)}`).join(" ");
    return shape("g", { class: "track-word", "data-word": word }, shape("polyline", { class: "track", points }), shape("circle", { r: 4.5 }),
      shape("text", { x: TEXT }), shape("text", { class: "rank", x: 424, "text-anchor": "end" }));
  });
  const svg = shape("svg", { viewBox: `0 0 426 ${y(deepest) + 14}`, role: "img" }, cursor, ...groups);
  const address = `./?${new URLSearchParams({ q: query, ...(named && { space: named }) })}`;
  $("tracks").append(element("figure", {}, element("figcaption", {}, element("a", { href: address }, query)), svg));
  return (step) => {
    cursor.setAttribute("x1", x(step));
    cursor.setAttribute("x2", x(step));
    const order = words.map((_, index) => index).sort((a, b) => ranks[a][step] - ranks[b][step]);
    let below = 0; // words beyond the last rank are listed below each other
    for (const index of order) {
      const rank = ranks[index][step];
      const [, dot, text, number] = groups[index].children;
      const row = rank <= LOWEST ? y(rank) : y(LOWEST) + 14 * below++;
      dot.setAttribute("cx", x(step));
      dot.setAttribute("cy", y(rank));
      for (const each of [text, number]) each.setAttribute("y", row + 5);
      text.textContent = words[index];
      number.textContent = rank;
    }
    svg.setAttribute("aria-label", `${query}: ${order.map((index) => `${ranks[index][step]} ${words[index]}`).join(", ")}`);
  };
}

/** Draw the errors of the contexts as a histogram; return a function that shows a step. */
function drawErrors({ errors, rms, stops, between, contexts }) {
  $("errors").hidden = errors === null;
  if (errors === null) return () => {};
  const all = errors.flat();
  const [low, high] = [Math.floor(Math.min(...all, -0.5)), Math.ceil(Math.max(...all, 0.5))];
  const x = (value) => 10 + ((value - low) / (high - low)) * 620;
  const countsOf = (values) => {
    const counts = new Array(BINS).fill(0);
    for (const value of values) counts[Math.min(BINS - 1, Math.floor(((value - low) / (high - low)) * BINS))] += 1;
    return counts;
  };
  const tallest = Math.max(...errors.flatMap(countsOf));
  const columns = Array.from({ length: BINS }, (_, bin) =>
    shape("rect", { class: "column", x: x(low + (bin * (high - low)) / BINS) + 1, width: 620 / BINS - 2 }));
  const axis = [shape("line", { class: "axis", x1: 10, x2: 630, y1: 215, y2: 215 })];
  for (let value = low; value <= high; value += 1) {
    axis.push(shape("line", { class: "axis", x1: x(value), x2: x(value), y1: 215, y2: 220 }), shape("text", { x: x(value), y: 235, "text-anchor": "middle" }, String(value).replace("-", "\u2212")));
  }
  const zero = [shape("line", { class: "zero", x1: x(0), x2: x(0), y1: 16, y2: 215 }), shape("text", { class: "zero", x: x(0), y: 11, "text-anchor": "middle" }, "no error")];
  fill($("histogram"), ...axis, ...columns, ...zero);
  fill($("rms-table"), ...stops.map((stop, index) => element("tr", {}, element("td", {}, stop), element("td", {}, rms[index].toFixed(3)))));
  $("sample").textContent = `${contexts} contexts, drawn by their frequency; every word of the space is counted.`;
  return (step) => {
    const place = Math.min(Math.floor(step / between), stops.length - 2);
    const part = step / between - place;
    const values = errors[place].map((value, index) => value + part * (errors[place + 1][index] - value)); // exact: it is linear
    countsOf(values).forEach((count, bin) => {
      const height = (count / tallest) * 190;
      columns[bin].setAttribute("y", 215 - height);
      columns[bin].setAttribute("height", height);
    });
    const size = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
    $("rms").textContent = size.toFixed(3);
    $("histogram").setAttribute("aria-label", `The errors of ${contexts} contexts: root mean square ${size.toFixed(3)}`);
  };
}

function say(stops, between, step) {
  const place = Math.min(Math.floor(step / between), stops.length - 2);
  const part = step / between - place;
  if (part === 0) return `At the origin ${stops[place]}.`;
  if (part === 1) return `At the origin ${stops[place + 1]}.`;
  return `${Math.round(100 * part)} % of the way from ${stops[place]} to ${stops[place + 1]}.`;
}

function light(event) {
  const word = event.target.closest?.("[data-word]")?.dataset.word;
  for (const each of document.querySelectorAll("[data-word]")) each.classList.toggle("same", event.type === "pointerover" && each.dataset.word === word);
}

async function start() {
  startTheme($("theme"));
  if (named) {
    for (const [id, view] of [["back", {}], ["four-link", { view: "four" }]]) $(id).href = `./?${new URLSearchParams({ space: named, ...view })}`;
  }
  let lesson;
  try {
    lesson = await get("v1/lesson", named ? { space: named } : {});
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    $("failed").hidden = false;
    $("failed").textContent = error.message;
    return;
  }
  const { stops, between, tracks } = lesson;
  const last = between * (stops.length - 1);
  const slider = $("origin-slider");
  slider.max = last;
  fill($("stop-marks"), ...stops.map((_, place) => element("option", { value: place * between })));
  const show = [...tracks.map((track) => drawTrack(track, last)), drawErrors(lesson)];
  const move = () => {
    const step = Number(slider.value);
    show.forEach((each) => each(step));
    $("where").textContent = say(stops, between, step);
    slider.setAttribute("aria-valuetext", $("where").textContent);
    [...$("stops").children].forEach((button, place) => button.setAttribute("aria-pressed", String(step === place * between)));
  };
  fill($("stops"), ...stops.map((stop, place) => element("button", {
    type: "button",
    onclick: () => {
      slider.value = place * between;
      move();
    },
  }, stop)));
  slider.addEventListener("input", move);
  $("tracks").addEventListener("pointerover", light);
  $("tracks").addEventListener("pointerout", light);
  $("lesson").hidden = false;
  move();
}

start();
