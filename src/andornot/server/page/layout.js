// Sizes and positions in the drawing of a picture: the window, the ticks, the labels.

const LEAST_RANGE = 0.02; // of the window, across and in height
const WIDENED = 1.6; // the window grows at most by this factor to show the bisector
const GAP = 8; // pixels between a dot and its label

const atLeast = (low, high) => {
  const missing = Math.max(0, LEAST_RANGE - (high - low)) / 2;
  return [low - missing, high + missing];
};

/** Return the part of the plane that shows all hits in a frame, as maps from cosines to pixels.
 *
 * `frame` has left, top, right and bottom in pixels; `margin` and `below` are the room around the dots.
 */
export function windowOf(picture, frame, margin, below) {
  const hits = picture.points.filter(({ kind }) => kind === "hit");
  const [low, high] = atLeast(Math.min(...hits.map(({ score }) => score)), Math.max(...hits.map(({ score }) => score)));
  let [left, right] = atLeast(Math.min(...hits.map(({ x }) => x)), Math.max(...hits.map(({ x }) => x)));
  if (picture.bisector) {
    const slope = picture.bisector.x / Math.max(picture.bisector.y, 1e-9);
    const wide = [left, right, slope * low, slope * high];
    if (Math.max(...wide) - Math.min(...wide) <= WIDENED * (right - left)) [left, right] = [Math.min(...wide), Math.max(...wide)];
  }
  const across = (right - left) / (frame.right - frame.left - 2 * margin);
  const up = (high - low) / (frame.bottom - frame.top - margin - below);
  const view = { left: left - margin * across, right: right + margin * across, low: low - below * up, high: high + margin * up };
  return {
    ...view,
    x: (value) => frame.left + ((value - view.left) / (view.right - view.left)) * (frame.right - frame.left),
    y: (value) => frame.bottom - ((value - view.low) / (view.high - view.low)) * (frame.bottom - frame.top),
  };
}

/** Return the ends of the bisector in a window, the lower one first; null if it is outside. */
export function bisectorEnds(bisector, view) {
  let { low, high } = view;
  const slope = bisector.x / Math.max(bisector.y, 1e-9);
  if (slope) {
    const [first, last] = [view.left / slope, view.right / slope].sort((a, b) => a - b);
    [low, high] = [Math.max(low, first), Math.min(high, last)];
  } else if (view.left > 0 || view.right < 0) return null;
  return low < high ? [[slope * low, low], [slope * high, high]] : null;
}

/** Return round scores from low to high, with their texts. */
export function ticks(low, high, most) {
  const raw = (high - low) / most;
  let power = Math.floor(Math.log10(raw));
  let factor = [1, 2, 5, 10].find((each) => each * 10 ** power >= raw * (1 - 1e-9));
  if (factor === 10) [power, factor] = [power + 1, 1];
  const step = factor * 10 ** power;
  const digits = Math.max(1, -power);
  const found = [];
  for (let each = Math.ceil(low / step); each <= Math.floor(high / step); each += 1) {
    const value = Number((each * step).toFixed(digits));
    if (Math.abs(value) <= 1) found.push([value, (value || 0).toFixed(digits)]);
  }
  return found;
}

/** Return for each dot whether its label goes to its right, to its left, or has no room.
 *
 * `dots` have x, y and the width of their label; the first are the most important.
 */
export function labelSides(dots, height, frame) {
  const used = dots.map(({ x, y }) => [x - 5, y - 5, x + 5, y + 5]);
  return dots.map(({ x, y, width }) => {
    for (const [side, left] of [["right", x + GAP], ["left", x - GAP - width]]) {
      const box = [left, y - height / 2, left + width, y + height / 2];
      const isInside = box[0] >= frame.left && box[2] <= frame.right && box[1] >= frame.top && box[3] <= frame.bottom;
      if (isInside && !used.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) {
        used.push(box);
        return side;
      }
    }
    return "none";
  });
}

/** Move heights down until each is some pixels below the one above it. */
export function spread(heights, least) {
  const order = heights.map((_, place) => place).sort((a, b) => heights[a] - heights[b]);
  const found = [...heights];
  for (let place = 1; place < order.length; place += 1) {
    found[order[place]] = Math.max(found[order[place]], found[order[place - 1]] + least);
  }
  return found;
}
