// SPDX-License-Identifier: MIT
// The page of a run: its data, and one state (which cell, cache size, methods) from which all its figures are drawn.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const COORDINATES = ["workload", "trace", "kinds", "pages", "corunners"];
const HEADS = {
  workload: "Workload",
  trace: "Trace",
  kinds: "Queries",
  pages: "Pages",
  corunners: "Co-runners",
  pressure: "Pressure"
};

/** A row of a cell as an object; figures that were not measured are null. */
function unpack(cell, row) {
  const [arm, verdict, best, ns, nsLow, nsHigh, net, netLow, netHigh, ratio, low, high, unflagged, node, ...counts] =
      row;
  return {
    ...data.arms[arm],
    place: arm,
    ns,
    nsLow,
    nsHigh,
    net,
    netLow,
    netHigh,
    ratio,
    low,
    high,
    verdict: data.verdicts[verdict],
    best: data.bests[best],
    unflagged,
    node,
    ...Object.fromEntries(data.counts.map(({metric, source}, i) => [`${metric} ${source}`, counts[i]])),
    cycles: cell.cycle && ns !== null ? ns / cell.cycle : null
  };
}
for (const cell of data.cells) cell.unpacked = cell.rows.map(row => unpack(cell, row));

const families = [...new Set(data.arms.map(arm => arm.family))].sort();
const state = {
  cell: data.cells[data.start],
  size: 0,
  level: "any",
  granularity: 64,
  hidden: new Set(),
  limit: Infinity,
  words: "",
  verdict: "",
  marked: new Set(data.named),
  sort: {key: "ratio", down: false},
  crossing: "ratio",
  sweep: null,
  board: null,
  boardColumn: "l1d_misses",
};

const isShown = arm =>
    !state.hidden.has(arm.family) && (state.limit === Infinity || (arm.bytes ?? Infinity) <= state.limit);
const cost = row => row.ratio ?? row.ns;
const rowsOf = cell => cell.unpacked.filter(isShown).sort((a, b) => cost(a) - cost(b) || (a.arm < b.arm ? -1 : 1));

/** The cells that differ from the chosen one in the pressure alone, in order. */
const pressureCells = () => data.cells.filter(cell => COORDINATES.every(name => cell[name] === state.cell[name]));

/** The cell with one coordinate changed; where there is none, the one that keeps most of the others. */
function change(name, value) {
  const kept = [...COORDINATES, "pressure"].filter(other => other !== name);
  const found = data.cells.filter(cell => String(cell[name]) === value);
  const likeness = cell => kept.reduce((sum, other) => sum + (cell[other] === state.cell[other] ? 1 : 0), 0);
  return found.reduce((best, cell) => likeness(cell) > likeness(best) ? cell : best, found[0]);
}

/** The miss-ratio grid of the chosen trace; the first there is where the trace has none. */
function grid(granularity = state.granularity) {
  const all = (data.misses ?? []).filter(entry => entry.granularity === granularity);
  return all.find(entry => entry.trace === state.cell.trace) ?? all[0] ?? null;
}

/** The load of a grid that is nearest to what the chosen pressure touches. */
function loadOf(entry) {
  const wanted = Math.log2(1 + state.cell.lines);
  const distance = load => Math.abs(Math.log2(1 + load) - wanted);
  return entry.loads.reduce((best, load, i) => distance(load) < distance(entry.loads[best]) ? i : best, 0);
}

/** Misses a query at a level: {counted, simulated}; of level "any" those of the curves at the slider's size. */
function missesOf(row, level) {
  if (level !== "any") return {counted: row[`${level} counted`] ?? null, simulated: row[`${level} simulated`] ?? null};
  const entry = grid(64);
  return {counted: null, simulated: entry?.methods[row.method]?.[loadOf(entry)]?.[state.size] ?? null};
}

const hasMisses = ({counted, simulated}) => counted !== null || simulated !== null;

/** What misses there are in the chosen cell: the curves of any size, and levels that were counted or simulated. */
const levelsHere = () => ["any", ...new Set(data.counts.map(count => count.metric))].filter(
    level => state.cell.unpacked.some(row => hasMisses(missesOf(row, level))));

function nearestSize(entry, bytes) {
  const distance = size => Math.abs(Math.log(size / bytes));
  return entry.sizes.reduce((best, size, i) => distance(size) < distance(entry.sizes[best]) ? i : best, 0);
}
