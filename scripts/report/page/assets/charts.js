// SPDX-License-Identifier: MIT
// Small pieces that every figure of the page is made of: SVG elements, scales, axes, markers, labels, the tooltip.
"use strict";

/** Makes an SVG element inside another; attributes and text are set, never parsed. */
function draw(parent, name, attributes = {}, text = null) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  parent.append(made);
  return made;
}

/** Makes an HTML element inside another. */
function make(parent, name, attributes = {}, text = null) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  parent.append(made);
  return made;
}

/** An empty drawing in a container, as wide as the container is; what was there goes. */
function sheet(container, height, label) {
  container.replaceChildren();
  const width = Math.max(280, Math.floor(container.clientWidth || 700));
  const svg = draw(container, "svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label});
  return {svg, width, height, narrow: width < 560};
}

/** A scale: a function from value to pixel, with its ends. */
function scale(low, high, from, to, forward = x => x) {
  const a = forward(low), b = forward(high);
  return Object.assign(value => from + (to - from) * (forward(value) - a) / (b - a || 1), {low, high, from, to});
}

const logScale = (low, high, from, to) => scale(low, high, from, to, Math.log);

/** Round numbers inside [low, high] for a logarithmic axis, not more than `most`. */
function logTicks(low, high, most) {
  for (const digits
           of [[1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.2, 1.5, 2, 3, 5, 8], [1, 1.5, 2, 3, 5, 8],
               [1, 2, 5], [1, 3], [1]]) {
    const ticks = [];
    for (let k = Math.floor(Math.log10(low)); k <= Math.ceil(Math.log10(high)); ++k) {
      for (const digit of digits) ticks.push(Number((digit * 10 ** k).toPrecision(6)));
    }
    const inside = ticks.filter(tick => tick >= low && tick <= high);
    const near = inside.some((tick, i) => i && Math.log(tick / inside[i - 1]) < 0.6 * Math.log(high / low) / most);
    if (inside.length <= most && !near && inside.length >= 2) return inside;
  }
  return evenTicks(low, high, most);
}

/** Ticks at even steps of 1, 2 or 5. */
function evenTicks(low, high, most) {
  for (let k = -9; k < 12; ++k) {
    for (const digit of [1, 2, 5]) {
      const step = digit * 10 ** k;
      if ((high - low) / step > most) continue;
      const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
      return Array.from({length: Math.max(0, last - first + 1)}, (_, i) => Number(((first + i) * step).toPrecision(9)));
    }
  }
  return [low, high];
}

/** A number as people read it: `digits` significant ones, no exponent; a dash where it was not measured. */
function said(value, digits = 3) {
  if (value === null || value === undefined) return "\u2013";
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(8, Math.max(0, digits - 1 - size)));
}

/** Misses a query: what is next to none is said to be so. */
const missesText = misses => misses > 0 && misses < 0.001 ? "<0.001" : said(misses);

/** A ratio: three figures after the point, two from 10 on. */
const ratioText = ratio => ratio === null || ratio === undefined ? "\u2013" : ratio.toFixed(ratio < 10 ? 3 : 2);

/** An interval in brackets; nothing where an end is not known. */
const intervalText = (low, high, show) => low === null || high === null ? "" : ` [${show(low)}, ${show(high)}]`;

const times = value => `${Number(value.toPrecision(4))}\u00d7`;

/** A size in bytes as people read it. */
function sizeText(bytes) {
  if (bytes === null || bytes === undefined) return "\u2013";
  const unit = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unit;
  const digits = value === Math.round(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${["B", "KiB", "MiB", "GiB", "TiB"][unit]}`;
}

/** Draws grid lines and labels of an axis. `side` is "bottom" or "left"; `across` the other axis' ends in pixels. */
function drawAxis(svg, side, place, ticks, show, across, title) {
  const flat = side === "bottom";
  for (const tick of ticks) {
    const at = place(tick);
    draw(
        svg, "line",
        flat ? {x1: at, x2: at, y1: across[0], y2: across[1], stroke: "var(--grid)"} :
               {x1: across[0], x2: across[1], y1: at, y2: at, stroke: "var(--grid)"});
    draw(
        svg, "text",
        flat ? {x: at, y: across[1] + 15, "text-anchor": "middle", class: "quiet"} :
               {x: across[0] - 5, y: at + 4, "text-anchor": "end", class: "quiet"},
        show(tick));
  }
  if (title && flat) {
    const anchor = place.from + place.to > 2 * 140 ? "end" : "start";
    draw(
        svg, "text",
        {x: anchor === "end" ? place.to : place.from, y: across[1] + 32, "text-anchor": anchor, class: "quiet"}, title);
  } else if (title) {
    draw(svg, "text", {x: 2, y: Math.min(place.from, place.to) - 8, class: "quiet"}, title);
  }
}

// Shapes with their middle at 0,0 and a radius of about 1. Each also means something, so none is told by colour alone.
const SHAPES = {
  left: "M-1.1 0L0.9 -1V1Z",
  right: "M1.1 0L-0.9 -1V1Z",
  square: "M-0.85 -0.85H0.85V0.85H-0.85Z",
  circle: "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0 -1 0Z",
  diamond: "M0 -1.15L1.15 0L0 1.15L-1.15 0Z",
  up: "M0 -1.1L1 0.9H-1Z",
  down: "M0 1.1L1 -0.9H-1Z",
  plus: "M-1.1 -0.35H-0.35V-1.1H0.35V-0.35H1.1V0.35H0.35V1.1H-0.35V0.35H-1.1Z",
  bar: "M-0.45 -1.15H0.45V1.15H-0.45Z",
  cross: "M-1 -1L1 1M-1 1L1 -1",
};
const VERDICT_SHAPES = {
  faster: "left",
  slower: "right",
  equivalent: "square",
  inconclusive: "circle",
  unresolved: "square",
  void: "cross",
  reference: "diamond"
};
const HOLLOW = new Set(["inconclusive", "unresolved"]);
const FAMILY_SHAPES = {
  magic: "circle",
  calculation: "up",
  fill: "square",
  lookup: "down",
  pext: "diamond",
  rotated: "plus",
  simd: "bar"
};

/** Draws a shape. `hollow` ones have paper inside. */
function drawShape(parent, shape, x, y, size, colour, hollow = false) {
  return draw(parent, "path", {
    d: SHAPES[shape] ?? SHAPES.plus,
    transform: `translate(${x} ${y}) scale(${size})`,
    fill: hollow ? "var(--paper)" : colour,
    stroke: colour,
    "stroke-width": 1.4 / size,
    "stroke-linejoin": "round"
  });
}

/** Draws the shape of a verdict. */
const drawVerdict = (parent, verdict, x, y, size, colour) =>
    drawShape(parent, VERDICT_SHAPES[verdict] ?? "plus", x, y, size, colour, HOLLOW.has(verdict));

/** Moves labels apart: each gets at least `step` pixels from the one above it, all within [top, bottom]. */
function spread(labels, step, top, bottom) {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  let last = top - step;
  for (const label of sorted) last = label.at = Math.max(label.y, last + step);
  let limit = bottom;
  for (const label of sorted.reverse()) {
    label.at = Math.min(label.at, limit);
    limit = label.at - step;
  }
}

/** Cuts a text that would be too wide. */
const cut = (text, most) => text.length <= most ? text : text.slice(0, most - 1).trimEnd() + "\u2026";

const tip = make(document.body, "div", {class: "tip", hidden: "", role: "status"});
const tips = new WeakMap();

/** Gives an element a text that appears under the pointer. */
function explain(element, words) {
  tips.set(element, words);
  return element;
}

document.addEventListener("pointermove", event => {
  const words = tips.get(event.target);
  tip.hidden = words === undefined;
  if (tip.hidden) return;
  tip.textContent = words;
  const {clientWidth, scrollLeft, scrollTop} = document.documentElement;
  const width = tip.offsetWidth,
        x = event.clientX + 14 + width > clientWidth ? event.clientX - 14 - width : event.clientX + 14;
  tip.style.left = `${Math.max(4, x) + scrollLeft}px`;
  tip.style.top = `${event.clientY + 14 + scrollTop}px`;
});
document.addEventListener("pointerleave", () => {
  tip.hidden = true;
});
window.addEventListener("scroll", () => {
  tip.hidden = true;
}, {passive: true});
