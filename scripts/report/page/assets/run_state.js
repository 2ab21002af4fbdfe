// SPDX-License-Identifier: MIT
// The page of a run: its data, and one state (which cell, which methods) that all figures are drawn from and that stands
// in the address, so that a view can be shared.
"use strict";

const data = JSON.parse(byId("data").textContent);
const COORDINATES = ["workload", "trace", "kinds", "pages", "corunners"];
const HEADS = {workload: "Workload", trace: "Trace", kinds: "Queries", pages: "Pages", corunners: "Co-runners"};
const NUMBERS = ["ns", "nsLow", "nsHigh", "net", "netLow", "netHigh", "ratio", "low", "high", "unflagged", "node"];

/** A row of a cell as an object; figures that were not measured are null. */
function unpack(cell, [place, verdict, best, ...numbers]) {
  const row = {...data.arms[place], place, verdict: data.verdicts[verdict], best: data.bests[best]};
  NUMBERS.forEach((name, i) => { row[name] = numbers[i]; });
  data.counts.forEach(({metric, source}, i) => { row[`${metric} ${source}`] = numbers[NUMBERS.length + i]; });
  row.cycles = cell.cycle && row.ns !== null ? row.ns / cell.cycle : null;
  return row;
}
for (const cell of data.cells) cell.unpacked = cell.rows.map(row => unpack(cell, row));

const families = [...new Set(data.arms.map(arm => arm.family))].sort();
const state = {
  cell: data.cells[data.start],
  hidden: new Set(),
  limit: Infinity,
  words: "",
  verdict: "",
  marked: new Set(data.named),
  sort: {key: "ratio", down: false},
  cost: "ratio",
  sweep: null,
};

const coordinates = cell => [...COORDINATES, "pressure"].map(name => cell[name]).join("/");

/** The state as the address has it: only what differs from the page's own start. */
function address() {
  const said = new URLSearchParams(), names = places => [...places].map(place => data.arms[place].arm).sort().join(",");
  if (state.cell !== data.cells[data.start]) said.set("cell", coordinates(state.cell));
  if (state.limit !== Infinity) said.set("limit", state.limit);
  if (state.hidden.size) said.set("hide", [...state.hidden].sort().join(","));
  if (names(state.marked) !== names(data.named)) said.set("mark", names(state.marked));
  if (state.sort.key !== "ratio" || state.sort.down) said.set("sort", `${state.sort.key}${state.sort.down ? "-" : ""}`);
  for (const name of ["words", "verdict"]) if (state[name]) said.set(name, state[name]);
  if (state.cost !== "ratio") said.set("cost", state.cost);
  if (state.sweep !== null) said.set("sweep", state.sweep);
  return said.toString();
}

/** Takes the state from the address; what this run does not have stays as it is. */
function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1)), list = name => said.get(name).split(",");
  state.cell = data.cells.find(cell => coordinates(cell) === said.get("cell")) ?? state.cell;
  if (Number(said.get("limit")) > 0) state.limit = Number(said.get("limit"));
  if (said.has("hide")) state.hidden = new Set(list("hide").filter(family => families.includes(family)));
  if (said.has("mark"))
    state.marked = new Set(list("mark").map(arm => data.arms.findIndex(a => a.arm === arm))
        .filter(place => place >= 0));
  if (said.has("sort")) state.sort = {key: said.get("sort").replace(/-$/, ""), down: said.get("sort").endsWith("-")};
  for (const name of ["words", "verdict"]) state[name] = said.get(name) ?? "";
  if (said.get("cost") === "net") state.cost = "net";
  if (data.sweeps[said.get("sweep")]) state.sweep = Number(said.get("sweep"));
}

const isShown = arm =>
    !state.hidden.has(arm.family) && (state.limit === Infinity || (arm.bytes ?? Infinity) <= state.limit);
const cost = row => row.ratio ?? row.ns;
const rowsOf = cell => cell.unpacked.filter(isShown).sort((a, b) => cost(a) - cost(b) || (a.arm < b.arm ? -1 : 1));

/** The cells that differ from the chosen one in the pressure alone, in order. */
const pressureCells = () => data.cells.filter(cell => COORDINATES.every(name => cell[name] === state.cell[name]));

/** The cell with one coordinate changed; where there is none, the one that keeps most of the others. */
function change(name, value) {
  const kept = [...COORDINATES, "pressure"].filter(other => other !== name);
  const likeness = cell => kept.filter(other => cell[other] === state.cell[other]).length;
  const found = data.cells.filter(cell => String(cell[name]) === value);
  return found.reduce((best, cell) => likeness(cell) > likeness(best) ? cell : best, found[0]);
}

/** A number as people read it: `digits` significant ones, no exponent; a dash where it was not measured. */
function said(value, digits = 3) {
  if (value === null || value === undefined) return "\u2013";
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(8, Math.max(0, digits - 1 - size)));
}
const missesText = misses => misses > 0 && misses < 0.001 ? "<0.001" : said(misses);
const ratioText = ratio => ratio === null || ratio === undefined ? "\u2013" : ratio.toFixed(ratio < 10 ? 3 : 2);
const intervalText = (low, high, show) => low === null || high === null ? "" : ` [${show(low)}, ${show(high)}]`;
const times = value => `${Number(value.toPrecision(4))}\u00d7`;
const cut = (text, most) => text.length <= most ? text : text.slice(0, most - 1).trimEnd() + "\u2026";

/** A size in bytes as people read it. */
function sizeText(bytes) {
  if (bytes === null || bytes === undefined) return "\u2013";
  const unit = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10)), value = bytes / 1024 ** unit;
  const digits = value === Math.round(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${["B", "KiB", "MiB", "GiB", "TiB"][unit]}`;
}

function describe(row, cell = state.cell) {
  return `${row.title} (${row.label})\n${row.verdict || "no verdict"}: ratio ${ratioText(row.ratio)}` +
      `${intervalText(row.low, row.high, ratioText)}\n${said(row.ns)}${intervalText(row.nsLow, row.nsHigh, said)} ns a ` +
      cell.unit + (row.bytes === null ? "" : `, tables ${sizeText(row.bytes)}`);
}

// ---- what the figures are made of

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
const VERDICT_SHAPES = {faster: "left", slower: "right", equivalent: "square", inconclusive: "circle",
                        unresolved: "square", void: "cross", reference: "diamond"};
const HOLLOW = new Set(["inconclusive", "unresolved"]);
const FAMILY_SHAPES = {magic: "circle", calculation: "up", fill: "square", lookup: "down", pext: "diamond",
    rotated: "plus", simd: "bar"};

/** Adds an element to a drawing; values may be functions of what the parents are joined with. Returns its selection. */
function add(parent, name, attributes, text = null) {
  const made = parent.append(name);
  for (const [key, value] of Object.entries(attributes)) made.attr(key, value);
  return text === null ? made : made.text(text);
}

const upright = (svg, x, y1, y2, stroke, dashes = null) =>
    add(svg, "line", {x1: x, x2: x, y1, y2, stroke, "stroke-dasharray": dashes});

/** Draws a shape; `hollow` ones have paper inside. */
const drawShape = (parent, shape, x, y, size, colour, hollow = false) =>
    add(parent, "path", {d: SHAPES[shape] ?? SHAPES.plus, transform: `translate(${x} ${y}) scale(${size})`,
                         fill: hollow ? "var(--paper)" : colour, stroke: colour, "stroke-width": 1.4 / size,
                         "stroke-linejoin": "round"});
const drawVerdict = (parent, verdict, x, y, size, colour) =>
    drawShape(parent, VERDICT_SHAPES[verdict] ?? "plus", x, y, size, colour, HOLLOW.has(verdict));

/** An empty drawing in a container, as wide as the container is; what was there goes. */
function sheet(container, height, label) {
  container.replaceChildren();
  const width = Math.max(280, Math.floor(container.clientWidth || 700));
  const svg = add(d3.select(container), "svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label});
  return {svg, width, height, narrow: width < 560};
}

/** Round numbers for a logarithmic axis, not more than `most`, none too near another. */
function logTicks(scale, most) {
  const [low, high] = scale.domain();
  for (const digits of [[1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 8], [1, 2, 5], [1, 3],
      [1]]) {
    const ticks = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1)
                      .flatMap(k => digits.map(digit => Number((digit * 10 ** k).toPrecision(6))))
                      .filter(tick => tick >= low && tick <= high);
    const near = d3.pairs(ticks).some(([a, b]) => Math.log(b / a) < 0.6 * Math.log(high / low) / most);
    if (ticks.length <= most && !near && ticks.length >= 2) return ticks;
  }
  return d3.ticks(low, high, most);
}

/** Draws an axis with its grid. `across`: the other axis' ends in pixels. */
function drawAxis(svg, side, scale, ticks, show, across, title) {
  const flat = side === "bottom", made = (flat ? d3.axisBottom : d3.axisLeft)(scale).tickValues(ticks).tickFormat(show);
  const group = add(svg, "g", {class: "axis", transform: flat ? `translate(0 ${across[1]})` : `translate(${across[0]} 0)`});
  group.call(made.tickSize(across[0] - across[1]).tickPadding(6));
  group.select(".domain").remove();
  const [from, to] = scale.range();
  add(svg, "text", {class: "quiet", x: flat ? to : 2, y: flat ? across[1] + 32 : Math.min(from, to) - 8,
                    "text-anchor": flat ? "end" : "start"}, title);
}

/** Leaves out ticks whose labels would touch. */
const thin = (values, place, gap) =>
    values.reduce((kept, v) => !kept.length || place(v) - place(kept[kept.length - 1]) >= gap ? [...kept, v] : kept, []);

/** Moves labels apart: each gets at least `step` pixels from the one above it, all within [top, bottom]. */
function spread(labels, step, top, bottom) {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  let last = top - step, limit = bottom;
  for (const label of sorted) last = label.at = Math.max(label.y, last + step);
  for (const label of sorted.reverse()) limit = (label.at = Math.min(label.at, limit)) - step;
}

/** This machine's caches as dotted lines. */
function drawCaches(svg, x, [low, high], top, bottom) {
  for (const level of data.caches.filter(level => level.bytes >= low && level.bytes <= high)) {
    upright(svg, x(level.bytes), top, bottom, "var(--muted)", "2 3");
    add(svg, "text", {x: x(level.bytes), y: top - 4, class: "quiet", "text-anchor": "middle"}, level.name);
  }
}

const tip = make(document.body, "div", {class: "tip", hidden: "", role: "status"});
const tips = new WeakMap();

/** Gives an element a text that appears under the pointer. */
function explain(selection, words) {
  tips.set(selection.node(), words);
  return selection;
}
document.addEventListener("pointermove", event => {
  const words = tips.get(event.target);
  tip.hidden = words === undefined;
  if (tip.hidden) return;
  tip.textContent = words;
  const {clientWidth, scrollLeft, scrollTop} = document.documentElement, width = tip.offsetWidth;
  const x = event.clientX + 14 + width > clientWidth ? event.clientX - 14 - width : event.clientX + 14;
  tip.style.left = `${Math.max(4, x) + scrollLeft}px`;
  tip.style.top = `${event.clientY + 14 + scrollTop}px`;
});
for (const gone of ["pointerleave", "scroll"])
  document.addEventListener(gone, () => { tip.hidden = true; }, {passive: true});
