// The plane: words on their principal axes, the origins, and the result. When the category
// changes the axes stay, and its origin walks to its new place.

import { element } from "./dom.js";

const WALK = 650; // milliseconds
let loading = null;

/** Plotly, when it is first wanted: the page is there before it. */
export function loadPlotly() {
  loading ??= new Promise((resolve, reject) => {
    const script = element("script", { src: "plotly.min.js" });
    script.addEventListener("load", () => resolve(window.Plotly));
    script.addEventListener("error", () => reject(new Error("plotly could not be loaded")));
    document.head.append(script);
  });
  return loading;
}

/** Plotly reads some markup in labels: a word has none. */
const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const coarse = () => matchMedia("(pointer: coarse)").matches; // a finger scrolls the page
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const [OTHERS, MEMBERS, OPERANDS, SPOKES, ARROW, ORIGINS, CENTRE, RESULT] = [0, 1, 2, 3, 4, 5, 6, 7];

/** From where a result is seen: the origin of its category, or the mean by frequency. */
const seenFrom = (plane) =>
  plane.categories[0] ?? plane.origins.find((origin) => origin.name === "frequency") ?? plane.origins[0];

const between = (a, b, part) => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part });

export class Plane {
  #box;
  #shown = null;
  #moving = 0;
  #range = null; // of both axes, while the words stay the same

  /** `toggle(word)` is called when a word of the plane is clicked. */
  constructor(box, toggle) {
    this.#box = box;
    this.toggle = toggle;
  }

  /** Draw what the service says of a plane, and `axes`, how its words were weighed; a moved origin is seen to move. */
  async draw(plane, label) {
    const plotly = await loadPlotly();
    const before = this.#shown;
    cancelAnimationFrame(this.#moving);
    this.#shown = { plane, label };
    this.#box.hidden = false;
    const sameWords = before !== null && frame(before.plane) === frame(plane);
    if (!sameWords) this.#range = null;
    this.#box.setAttribute("aria-label", described(plane, label));
    const end = { from: seenFrom(plane), to: plane.result };
    const begin = sameWords ? { from: seenFrom(before.plane), to: before.plane.result ?? plane.result } : end;
    const first = !this.#box.classList.contains("js-plotly-plot");
    await plotly.react(this.#box, this.#traces(plane, label, begin), this.#layout(plane), {
      displayModeBar: false, responsive: true, doubleClick: "reset", scrollZoom: false, showTips: false,
    });
    if (first) {
      this.#box.on("plotly_click", ({ points }) => {
        const word = points[0]?.customdata;
        if (word) this.toggle(word);
      });
    }
    if (!first && this.#isSeen) plotly.Plots.resize(this.#box); // the window may have changed meanwhile
    if (sameWords) this.#walk(plotly, plane, begin, end);
  }

  /** Show no plane. */
  clear() {
    cancelAnimationFrame(this.#moving);
    this.#shown = null;
    this.#box.hidden = true;
  }

  /** The same again, in the colours of the moment. */
  redraw() {
    if (this.#shown && this.#isSeen) this.draw(this.#shown.plane, this.#shown.label);
  }

  get #isSeen() {
    return this.#box.offsetParent !== null; // else it is drawn when its view is opened
  }

  #walk(plotly, plane, begin, end) {
    const started = performance.now();
    const step = (now) => {
      const time = still() ? 1 : Math.min(1, (now - started) / WALK);
      const part = time < 0.5 ? 2 * time * time : 1 - (2 - 2 * time) ** 2 / 2;
      const from = between(begin.from, end.from, part);
      const to = end.to && between(begin.to, end.to, part);
      const lines = this.#lines(plane, { from, to });
      plotly.restyle(this.#box, {
        x: [lines.spokes.x, lines.arrow.x, lines.centre.x, lines.result.x],
        y: [lines.spokes.y, lines.arrow.y, lines.centre.y, lines.result.y],
      }, [SPOKES, ARROW, CENTRE, RESULT]);
      if (time < 1) this.#moving = requestAnimationFrame(step);
    };
    this.#moving = requestAnimationFrame(step);
  }

  #lines(plane, { from, to }) {
    const operands = plane.words.filter((word) => word.is_operand);
    const spokes = { x: [], y: [] };
    for (const word of operands) {
      spokes.x.push(from.x, word.x, null);
      spokes.y.push(from.y, word.y, null);
    }
    return {
      spokes,
      arrow: to ? { x: [from.x, to.x], y: [from.y, to.y] } : { x: [], y: [] },
      centre: plane.categories.length ? { x: [from.x], y: [from.y] } : { x: [], y: [] },
      result: to ? { x: [to.x], y: [to.y] } : { x: [], y: [] },
    };
  }

  #traces(plane, label, place) {
    const members = new Set(plane.categories.flatMap((category) => category.words));
    const lines = this.#lines(plane, place);
    const largest = Math.max(...plane.words.map((word) => word.probability ?? 0), 1e-12);
    const font = { family: getComputedStyle(document.body).getPropertyValue("--words"), size: 15 };
    const shown = (chosen, name, look) => ({
      type: "scatter", mode: "markers+text", name,
      x: chosen.map((word) => word.x), y: chosen.map((word) => word.y),
      text: chosen.map((word) => plain(word.word)), customdata: chosen.map((word) => word.word),
      textposition: "top center", textfont: { ...font, color: look.text }, cliponaxis: false,
      hovertemplate: chosen.map((word) =>
        `${plain(word.word)}${word.probability === null ? "" : `<br>p = ${word.probability.toPrecision(2)}`}<extra></extra>`),
      marker: {
        color: look.fill, line: { color: look.edge, width: 1.5 },
        size: chosen.map((word) => 7 + 11 * Math.sqrt((word.probability ?? 0) / largest)),
      },
    });
    const operands = plane.words.filter((word) => word.is_operand);
    const others = plane.words.filter((word) => !word.is_operand);
    const point = (position, name, text, marker, where = "bottom center") => ({
      type: "scatter", mode: "markers+text", name, x: position.x, y: position.y,
      text: text.map(plain), textposition: where, textfont: { ...font, size: 13, color: marker.color },
      hovertemplate: `${plain(name)}<extra></extra>`, marker, cliponaxis: false,
    });
    const line = (position, look) => ({
      type: "scatter", mode: "lines", x: position.x, y: position.y, hoverinfo: "skip", line: look,
    });
    const anyCategory = members.size > 0;
    const traces = [];
    traces[OTHERS] = shown(anyCategory ? others.filter((w) => !members.has(w.word)) : [], "other words",
      { fill: colour("card"), edge: colour("field"), text: colour("soft") });
    traces[MEMBERS] = shown(anyCategory ? others.filter((w) => members.has(w.word)) : others, "words",
      { fill: colour("field"), edge: colour("field"), text: colour("ink") });
    traces[OPERANDS] = shown(operands, "asked", { fill: colour("and"), edge: colour("and"), text: colour("and") });
    traces[SPOKES] = line(lines.spokes, { color: colour("and"), width: 1.5, dash: "dot" });
    traces[ARROW] = line(lines.arrow, { color: colour("not"), width: 2.5 });
    traces[ORIGINS] = point(
      { x: plane.origins.map((o) => o.x), y: plane.origins.map((o) => o.y) }, "mean of all words", [],
      { color: colour("ink"), size: 11, symbol: plane.origins.map((o) => (o.name === "uniform" ? "x-thin-open" : "cross-thin-open")), line: { width: 2 } });
    traces[ORIGINS].hovertemplate = plane.origins.map((o) =>
      `${o.name === "uniform" ? "plain mean of all words" : "mean of all words by frequency"}<extra></extra>`);
    traces[CENTRE] = point(lines.centre, "origin of the category", [""],
      { color: colour("or"), size: 17, symbol: "circle-open-dot", line: { width: 2.5, color: colour("or") } });
    traces[RESULT] = point(lines.result, "result", [label], { color: colour("not"), size: 13, symbol: "diamond" });
    return traces.map((trace) => ({ showlegend: false, ...trace }));
  }

  #layout(plane) {
    const points = [...plane.words, ...plane.origins, ...plane.categories, ...(plane.result ? [plane.result] : [])];
    const range = (axis, old) => {
      const values = points.map((point) => point[axis]);
      const low = Math.min(...values, ...(old ? [old[0]] : []));
      const high = Math.max(...values, ...(old ? [old[1]] : []));
      return [low, high];
    };
    this.#range = { x: range("x", this.#range?.x), y: range("y", this.#range?.y) };
    const axis = (name) => {
      const [low, high] = this.#range[name];
      const room = 0.12 * (high - low || 1);
      return {
        range: [low - room, high + room], zeroline: false, showticklabels: false, ticks: "", showgrid: true,
        gridcolor: colour("line"), title: { text: "" }, fixedrange: coarse(),
      };
    };
    return {
      xaxis: axis("x"), yaxis: { ...axis("y"), scaleanchor: "x", scaleratio: 1 },
      margin: { l: 12, r: 12, t: 12, b: 12 }, dragmode: coarse() ? false : "pan", hovermode: "closest", showlegend: false,
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      hoverlabel: { bgcolor: colour("card"), bordercolor: colour("field"), font: { color: colour("ink") } },
      uirevision: frame(plane),
    };
  }
}

/** What the axes depend on. */
const frame = (plane) => JSON.stringify([plane.axes, ...plane.words.map((word) => word.word).sort()]);

/** The plane in words, for those who don't see it. */
function described(plane, label) {
  const named = plane.words.map((word) => word.word).join(", ");
  const share = Math.round(100 * plane.explained.reduce((a, b) => a + b, 0));
  return `${plane.words.length} words in a plane that holds ${share} % of their variance, with the result ${label}: ${named}`;
}
