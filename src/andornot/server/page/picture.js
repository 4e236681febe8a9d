// The picture of an answer: the height of a dot is its score. The list beside it is its column of labels.

import { $, element, fill, shape } from "./dom.js";
import { bisectorEnds, labelSides, spread, ticks, windowOf } from "./layout.js";

const MARGIN = 18; // pixels between the frame and the dots
const LEAST_HEIGHT = 300;
const MOVE = 500; // milliseconds
const RADIUS = 92; // of the whole circle
const LONGEST = 22; // characters of a label in the circle

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const short = (text, most = LONGEST) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const ease = (part) => (part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2);

export class Picture {
  #shown = null;
  #dots = new Map(); // by word: its group, and where it is
  #moving = 0;
  #isMoving = false;
  #follow;

  /** `follow(word)` asks for the word of a dot. */
  constructor(follow) {
    this.#follow = follow;
    new ResizeObserver(() => this.#draw(this.#isMoving)).observe($("hits"));
    $("plot").addEventListener("keydown", (event) => this.#key(event));
  }

  /** Draw the picture of an answer beside the list of its hits. */
  draw(picture) {
    this.#shown = picture;
    $("no-picture").hidden = picture.exists;
    if (!picture.exists) {
      this.#hide();
      $("no-picture").textContent = picture.reason;
      return;
    }
    this.#show(true);
    this.#draw(true);
    this.#drawDisc(picture);
    $("origin").textContent = `Seen from ${picture.origin.name}.`;
    $("caution").textContent = picture.caution;
  }

  /** Hide the picture of another answer until that of the new one comes. */
  wait() {
    this.#shown = null;
    $("answer").classList.add("pending");
  }

  /** Show no picture. */
  clear() {
    this.#shown = null;
    $("no-picture").hidden = true;
    this.#hide();
  }

  #hide() {
    cancelAnimationFrame(this.#moving);
    this.#show(false);
    this.#dots.clear();
    fill($("plot"));
  }

  #show(isShown) {
    $("answer").classList.remove("pending");
    $("plot").toggleAttribute("hidden", !isShown);
    $("disc-figure").hidden = !isShown;
    $("answer").classList.toggle("drawn", isShown);
  }

  #key(event) {
    const groups = [...this.#dots.values()].map(({ group }) => group);
    const place = groups.indexOf(document.activeElement);
    if (place < 0) return;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const next = groups[(place + step + groups.length) % groups.length];
      groups.forEach((group) => group.setAttribute("tabindex", group === next ? "0" : "-1"));
      next.focus();
    } else if (event.key === "Enter") this.#follow(groups[place].dataset.word);
  }

  #draw(moves) {
    const picture = this.#shown;
    const rows = [...$("hits").children];
    const hits = picture?.exists ? picture.points.filter(({ kind }) => kind === "hit") : [];
    if (!hits.length || rows.length !== hits.length) return;
    const plot = $("plot");
    const { width } = plot.getBoundingClientRect();
    if (width < 2 * MARGIN + 100) return; // it is not shown
    const listTop = $("hits").offsetTop;
    const middles = rows.map((row) => row.offsetTop - listTop + row.offsetHeight / 2);
    const isNarrow = width < 330;
    const head = 22;
    const height = Math.max(LEAST_HEIGHT, $("hits").offsetHeight) + (isNarrow ? 48 : 30);
    plot.setAttribute("viewBox", `0 ${-head} ${width} ${height + head}`);
    plot.style.height = `${height + head}px`;
    const frame = { left: isNarrow ? 26 : 48, top: 0, right: width - 38, bottom: height - (isNarrow ? 48 : 30) };
    const view = windowOf(picture, frame, MARGIN, MARGIN + (picture.bisector ? 14 : 0));
    const place = ({ x, score }, row) => ({ x: view.x(x), y: view.y(score), row: middles[row] });
    const targets = new Map(hits.map((hit, row) => [hit.name, place(hit, row)]));
    const kept = this.#dots;
    this.#dots = new Map(hits.map((hit, row) => [hit.name, this.#dot(hit, row, kept.get(hit.name), targets.get(hit.name))]));
    this.#label(hits, targets, frame);
    fill(plot, ...this.#axes(picture, view, frame, isNarrow), ...[...this.#dots.values()].map(({ group }) => group));
    plot.dataset.window = JSON.stringify([view.left, view.right, view.low, view.high]);
    this.#move(targets, frame, moves && !isStill());
  }

  #dot({ name, score }, row, old, target) {
    const group = shape("g", {
      class: "hit", "data-word": name, role: "img", tabindex: row === 0 ? "0" : "-1", "aria-label": `${name}, score ${score.toFixed(3)}`,
      onclick: () => this.#follow(name),
    }, shape("path", { class: "connector" }), shape("circle", { class: "around", r: 14 }), shape("circle", { class: "dot", r: 5 }), shape("text", {}, short(name, 40)));
    return { group, at: old?.at ?? target };
  }

  /** Show the labels that have room; the others are seen when their dot is lit. */
  #label(hits, targets, frame) {
    const dots = hits.map(({ name }) => ({ ...targets.get(name), width: widthOf(short(name, 40), 15, "--words") + 4 }));
    const lowest = this.#shown.bisector ? frame.bottom - 20 : frame.bottom;
    const sides = labelSides(dots, 18, { ...frame, bottom: lowest });
    hits.forEach(({ name }, index) => {
      const { group } = this.#dots.get(name);
      const text = group.querySelector("text");
      const isLeft = sides[index] === "left" || (sides[index] === "none" && dots[index].x > (frame.left + frame.right) / 2);
      text.setAttribute("text-anchor", isLeft ? "end" : "start");
      text.setAttribute("dx", isLeft ? -9 : 9);
      group.classList.toggle("tight", sides[index] === "none");
    });
  }

  #move(targets, frame, moves) {
    cancelAnimationFrame(this.#moving);
    const begins = new Map([...this.#dots].map(([word, { at }]) => [word, at]));
    const started = performance.now();
    const step = (now) => {
      const time = moves ? Math.min(1, (now - started) / MOVE) : 1;
      const part = ease(time);
      for (const [word, dot] of this.#dots) {
        const [begin, end] = [begins.get(word), targets.get(word)];
        dot.at = time === 1 ? end : {
          x: begin.x + part * (end.x - begin.x), y: begin.y + part * (end.y - begin.y), row: begin.row + part * (end.row - begin.row),
        };
        put(dot, frame);
      }
      this.#isMoving = time < 1;
      if (this.#isMoving) this.#moving = requestAnimationFrame(step);
    };
    step(started);
  }

  #axes(picture, view, frame, isNarrow) {
    const { axis, bisector } = picture;
    const parts = [shape("rect", { class: "frame", x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top })];
    for (const [value, text] of ticks(view.low, view.high, Math.max(4, Math.round((frame.bottom - frame.top) / 60)))) {
      const y = view.y(value);
      parts.push(
        shape("line", { class: "grid", x1: frame.left, x2: frame.right, y1: y, y2: y }),
        shape("line", { class: "tick", x1: frame.right, x2: frame.right + 5, y1: y, y2: y }),
        shape("text", { class: "quiet", x: frame.right + 8, y: y + 4 }, text));
    }
    const ends = bisector && bisectorEnds(bisector, view);
    if (ends) {
      const [[x1, y1], [x2, y2]] = ends.map(([x, y]) => [view.x(x), view.y(y)]);
      const operands = picture.points.filter(({ kind }) => kind === "operand").map(({ label }) => short(label, 14));
      const said = isNarrow ? "equally like both" : `equally like ${operands.join(" and ")}`;
      const width = widthOf(said, 12, "--plain");
      const isRight = x1 + 6 + width <= frame.right;
      parts.push(shape("line", { class: "bisector", x1, y1, x2, y2 }));
      if (isRight || x1 - 6 - width >= frame.left) {
        parts.push(shape("text", { class: "equal", x: x1 + (isRight ? 6 : -6), y: frame.bottom - 7, "text-anchor": isRight ? "start" : "end" }, said));
      }
    }
    const [before, after] = axis.of === "operands" ? ["← ", " →"] : ["", ""];
    parts.push(
      shape("text", { class: "quiet", x: (frame.left + frame.right) / 2, y: -8, "text-anchor": "middle" }, isNarrow ? "height = score" : "higher is nearer: height = score"),
      shape("text", { class: "quiet", x: isNarrow ? frame.right : frame.left, y: frame.bottom + 18, "text-anchor": isNarrow ? "end" : "start" }, before + short(axis.left, 40)));
    if (axis.right) {
      parts.push(shape("text", { class: "quiet", x: frame.right, y: frame.bottom + (isNarrow ? 36 : 18), "text-anchor": "end" }, short(axis.right, 40) + after));
    }
    return parts;
  }

  /** Draw the whole circle: every point where it is in the unit disc, and the part that is enlarged. */
  #drawDisc(picture) {
    const [left, right, low, high] = JSON.parse($("plot").dataset.window).map((value) => RADIUS * Math.min(1.15, Math.max(-1.15, value)));
    const at = ({ x, y }) => [RADIUS * x, -RADIUS * y];
    const of = (kind) => picture.points.filter((point) => point.kind === kind);
    const parts = [
      shape("circle", { class: "frame", r: RADIUS }),
      shape("rect", { class: "window", x: left, y: -high, width: right - left, height: high - low }),
    ];
    if (picture.bisector) {
      const [x, y] = at(picture.bisector);
      parts.push(shape("line", { class: "bisector", x1: 0, y1: 0, x2: x, y2: y }));
    }
    for (const point of of("operand")) {
      const [x, y] = at(point);
      const kind = point.is_negated ? "operand negated" : "operand";
      parts.push(shape("line", { class: kind, x1: 0, y1: 0, x2: x, y2: y }), shape("circle", { class: kind, cx: x, cy: y, r: 3.5 }));
    }
    parts.push(shape("line", { class: "result", x1: 0, y1: 0, x2: 0, y2: -RADIUS }), shape("path", { class: "result", d: `M0 ${-RADIUS - 6}l5 6l-5 6l-5 -6z` }));
    for (const point of of("category")) {
      const [x, y] = at(point);
      parts.push(shape("rect", { class: "category", x: x - 4, y: y - 4, width: 8, height: 8 }));
    }
    parts.push(shape("circle", { class: "centre", r: 3.5 }));
    for (const point of of("hit")) {
      const [cx, cy] = at(point);
      parts.push(shape("circle", { class: "small", cx, cy, r: 2.5, "data-word": point.name }));
    }
    fill($("disc"), ...parts, ...discLabels(of("operand")));
    fill($("categories"), ...of("category").filter(({ share }) => share > 0).map(({ label }) => element("span", {}, `□ the origin of ${label}`)));
    $("disc").setAttribute("aria-label",
      `The whole circle of directions, seen from ${picture.origin.name}: the result is at the top; ${of("operand").map(({ label, y }) => `${label} at ${y.toFixed(2)}`).join(", ")}`);
  }
}

const measure = document.createElement("canvas").getContext("2d");

/** Return the width of a text in one of the fonts of the page. */
function widthOf(text, size, font) {
  measure.font = `${size}px ${getComputedStyle(document.documentElement).getPropertyValue(font)}`;
  return measure.measureText(text).width;
}

/** Put a dot, its label and its connector where it is now. */
function put({ group, at }, frame) {
  const [connector, around, dot, text] = group.children;
  connector.setAttribute("d", `M0 ${at.row.toFixed(2)}L${frame.left} ${at.y.toFixed(2)}H${at.x.toFixed(2)}`);
  for (const circle of [around, dot]) {
    circle.setAttribute("cx", at.x.toFixed(2));
    circle.setAttribute("cy", at.y.toFixed(2));
  }
  text.setAttribute("x", at.x.toFixed(2));
  text.setAttribute("y", (at.y + 5).toFixed(2));
}

function discLabels(operands) {
  const atTop = operands.filter(({ y }) => y > 1 - 1e-6).map(({ label }) => short(label));
  const labels = [shape("text", { class: "result", y: -RADIUS - 14, "text-anchor": "middle" }, [...atTop, "the result"].join(" = "))];
  const named = operands.filter(({ y }) => y <= 1 - 1e-6);
  for (const side of [-1, 1]) {
    const beside = named.filter(({ x }) => (x > 0) === (side > 0));
    const rows = spread(beside.map(({ y }) => -(RADIUS + 6) * y + 4), 14);
    beside.forEach((point, index) => {
      const kind = point.is_negated ? "operand negated" : "operand";
      if (Math.abs(point.x) < 0.1 && point.y < 0) {
        labels.push(shape("text", { class: kind, y: RADIUS + 18, "text-anchor": "middle" }, short(point.label)));
        return;
      }
      const away = Math.max(Math.abs(point.x) * RADIUS + 8, point.y > 0.85 ? 44 : 0);
      const room = Math.floor((148 - away) / 6.2);
      labels.push(shape("text", { class: kind, x: side * away, y: rows[index], "text-anchor": side > 0 ? "start" : "end" },
        short(point.label, Math.max(4, room)), shape("title", {}, point.name)));
    });
  }
  return labels;
}

/** Light the rows and the dots of the word that is under the pointer or has the focus. */
export function lightTogether(root) {
  const mark = (event) => {
    const word = event.target.closest?.("[data-word]")?.dataset.word;
    const isOver = event.type === "pointerover" || event.type === "focusin";
    for (const each of root.querySelectorAll("[data-word]")) each.classList.toggle("same", isOver && each.dataset.word === word);
    const lit = isOver && word !== undefined ? root.querySelector("#plot g.same") : null;
    if (lit && lit !== document.activeElement && lit.nextSibling) lit.parentElement.append(lit); // above the others
  };
  for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) root.addEventListener(kind, mark);
}
