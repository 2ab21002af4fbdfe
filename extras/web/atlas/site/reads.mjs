// SPDX-License-Identifier: MIT
//
// What a query read: table, offset and cache line in order, and each line among all lines of its table.

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
