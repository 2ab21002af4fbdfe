// SPDX-License-Identifier: MIT
//
// A table as its cache lines: a small rectangle each, row after row.

const MOST_HEIGHT = 200, LARGEST = 12;
/** The colours of page.css; a line touched now has a frame too, so that no colour stands alone. */
const LINE_COLOURS = { never: "#dde0e5", cached: "#0b5cad", evicted: "#5c636e", now: "#8a4b00" };

/** The side of a line's rectangle, in pixels, with which `count` of them fit into a width. */
function sideFor(count, width) {
  for (let side = LARGEST; side > 2; --side) if (Math.ceil(count / Math.floor(width / side)) * side <= MOST_HEIGHT) return side;
  return 2;
}

/**
 * Draws a table's lines into a canvas.
 * @param {Map<number, string>} states  line -> state; those that are not in it were never touched
 */
export function drawStrip(canvas, count, states, width) {
  const side = sideFor(count, width), columns = Math.floor(width / side), gap = side > 3 ? 1 : 0;
  const scale = globalThis.devicePixelRatio || 1, height = Math.ceil(count / columns) * side + 4;
  Object.assign(canvas, { width: (columns * side + 4) * scale, height: height * scale });
  Object.assign(canvas.style, { width: `${columns * side + 4}px`, height: `${height}px` });
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  const place = (line) => [2 + (line % columns) * side, 2 + Math.floor(line / columns) * side];
  const fill = (line, colour) => {
    context.fillStyle = colour;
    context.fillRect(...place(line), side - gap, side - gap);
  };
  for (let line = 0; line < count; ++line) fill(line, LINE_COLOURS.never);
  for (const [line, state] of states) fill(line, LINE_COLOURS[state]);
  context.strokeStyle = LINE_COLOURS.now;
  context.lineWidth = 1.5;
  for (const [line, state] of states) {
    const [x, y] = place(line);
    if (state === "now") context.strokeRect(x - 1.5, y - 1.5, side - gap + 3, side - gap + 3);
  }
}
