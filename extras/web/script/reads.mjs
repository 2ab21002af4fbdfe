// SPDX-License-Identifier: MIT
//
// What a query reads: cache lines in a fully associative cache that evicts the least recently used one (LRU), a table as its
// lines, and the reads in order.

export const LINE_BYTES = 64;

/** The cache lines of a read, as "table:line". */
export function linesOf({ table, offset, bytes }) {
  const first = Math.floor(offset / LINE_BYTES), last = Math.floor((offset + bytes - 1) / LINE_BYTES);
  return Array.from({ length: last - first + 1 }, (_, i) => `${table}:${first + i}`);
}

/** All lines that were touched, and how many other lines were touched since. */
export class LineHistory {
  depths = new Map();
  before = new Set(); // lines of the query before
  now = new Set();    // lines of the last query

  /**
   * A query: its reads in their order, after `between` lines of something else.
   * @returns the reads, each with `lines`, a list of {name, depth, inBefore}: depth is the number of other lines touched since
   *     this one was, Infinity where it never was
   */
  query(reads, between = 0) {
    for (const [name, depth] of this.depths) this.depths.set(name, depth + between);
    this.before = this.now;
    this.now = new Set();
    return reads.map((read) => ({ ...read, lines: linesOf(read).map((name) => this.#touch(name)) }));
  }

  #touch(name) {
    const depth = this.depths.get(name) ?? Infinity;
    for (const [other, since] of this.depths) if (since < depth) this.depths.set(other, since + 1);
    this.depths.set(name, 0);
    this.now.add(name);
    return { name, depth, inBefore: this.before.has(name) };
  }

  /** "now", "cached" or "evicted" for a line that was touched, of a cache of so many lines; "never" for another. */
  stateOf(name, capacity) {
    if (this.now.has(name)) return "now";
    const depth = this.depths.get(name);
    return depth === undefined ? "never" : depth < capacity ? "cached" : "evicted";
  }
}

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

const numberInput = (value, most) => make("input", { type: "number", min: 0, max: most, step: 1, value });

/**
 * The reads of a method's queries, in an element.
 * @param {Array<[number, string]>} pressures  lines that something else touches between two queries, and what that is
 * @returns {{draw: Function}}  draw(tables, reads, label): a query, `label` names it
 */
export function createReads(host, pressures) {
  const capacity = numberInput(512, 1e6), between = makeSelect(pressures, pressures[0][0]);
  const forget = make("button", { type: "button" }, "forget all queries"), place = make("div", { className: "reads" });
  host.append(make("div", { className: "controls" }, labelled("Lines in the cache", capacity),
    labelled("Between two queries", between), make("span", { className: "tools" }, forget)), place);
  let history = new LineHistory(), last = null, labels = [];

  const draw = (tables, reads, label) => {
    labels = [labels.at(-1), label];
    last = { tables, reads: history.query(reads, Number(between.value)), label, labelBefore: labels[0] };
    show();
  };
  const show = () => {
    if (!last) return;
    const lines = Math.max(0, Number(capacity.value) || 0);
    place.replaceChildren(readsTable(last, lines), make("p", { className: "said" }, sharing(last)), legend());
    const width = Math.max(240, place.clientWidth - 8);
    last.tables.forEach((table, number) => place.append(figureOf(table, number, history, lines, width)));
  };
  capacity.addEventListener("input", show);
  globalThis.addEventListener("resize", show);
  forget.addEventListener("click", () => {
    history = new LineHistory();
    labels = [];
    if (last) draw(last.tables, last.reads, last.label);
  });
  return { draw };
}

function readsTable({ tables, reads, labelBefore }, capacity) {
  if (reads.length === 0) return make("p", {}, "This query reads no table.");
  const rows = reads.flatMap(({ table, offset, bytes, lines }, number) => lines.map(({ name, depth, inBefore }) => makeRow(
    [number + 1, tables[table].name, offset.toLocaleString("en"), bytes, name.split(":")[1],
      before(depth, inBefore, capacity, labelBefore)])));
  const heads = ["read", "table", "offset", "bytes", "cache line", "touched before"];
  return makeTable("Reads of the query", heads, rows);
}

function before(depth, inBefore, capacity, label) {
  if (depth === Infinity) return "no";
  const ago = depth === 0 ? "just now" : `${counted(depth, "other line")} ago`;
  return [inBefore ? `by the query before, ${label}` : "", ago, depth < capacity ? "" : "evicted since"].filter(Boolean).join("; ");
}

/** How many lines a query has, and which of them the one before touched too. */
function sharing({ tables, reads, labelBefore, label }) {
  const lines = new Map(reads.flatMap((read) => read.lines.map((line) => [line.name, line])));
  if (lines.size === 0) return "";
  const all = `${label} touches ${counted(lines.size, "cache line")}`;
  if (!labelBefore) return `${all}. Move the slider, and its lines are compared with these.`;
  const shared = new Set(reads.flatMap((read) => read.lines.filter((line) => line.inBefore)).map((line) => line.name));
  const named = [...shared].map((name) => `${tables[name.split(":")[0]].name} ${name.split(":")[1]}`).join(", ");
  return `${all}; ${shared.size || "none"} shared with the query before, ${labelBefore}${named ? `: ${named}` : ""}.`;
}

function legend() {
  const words = { now: "touched by this query", cached: "in the cache", evicted: "evicted", never: "not touched yet" };
  const item = ([state, text]) => make("span", {}, make("span", { className: `line-key ${state}` }), text);
  return make("p", { className: "note line-keys" }, ...Object.entries(words).map(item));
}

function figureOf({ name, bytes }, number, history, capacity, width) {
  const count = Math.max(1, Math.ceil(bytes / LINE_BYTES)), states = new Map(), tally = { now: 0, cached: 0, evicted: 0 };
  for (const line of history.depths.keys()) {
    const [table, place] = line.split(":").map(Number), state = history.stateOf(line, capacity);
    if (table !== number) continue;
    states.set(place, state);
    ++tally[state];
  }
  const found = `touched now ${tally.now}, in the cache ${tally.cached}, evicted ${tally.evicted}`;
  const said = `${name}: ${counted(count, "cache line")}; ${found}`;
  const canvas = make("canvas", { aria: { role: "img", label: said } });
  drawStrip(canvas, count, states, width);
  return make("figure", { className: "strip" }, make("figcaption", {}, said), canvas);
}
