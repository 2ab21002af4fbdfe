// SPDX-License-Identifier: MIT
// The page of a run: its data, and one state (which cell, which methods) that all figures are drawn from and that stands
// in the address, so that a view can be shared.
"use strict";

const data = JSON.parse(byId("data").textContent);
const COORDINATES = {workload: "Workload", trace: "Trace", kinds: "Queries", pages: "Pages", corunners: "Co-runners",
                     pressure: "Pressure between queries"};
const NUMBERS = ["ns", "nsLow", "nsHigh", "net", "netLow", "netHigh", "ratio", "low", "high", "unflagged", "node"];

/** A row of a cell as an object; figures that were not measured are null. */
function unpack(cell, [place, verdict, best, ...numbers]) {
  const row = {...data.arms[place], place, verdict, best};
  const names = [...NUMBERS, ...data.counts.map(({metric, source}) => `${metric} ${source}`)];
  names.forEach((name, i) => { row[name] = numbers[i]; });
  row.cycles = cell.cycle && row.ns !== null ? row.ns / cell.cycle : null;
  row.cost = row.ratio ?? row.ns;
  return row;
}
for (const cell of data.cells) cell.rows = cell.rows.map(row => unpack(cell, row));

const state = {
  cell: data.cells[data.start],
  words: "",
  marked: new Set(data.named),
  sort: {key: "ratio", down: false},
};

const coordinates = cell => Object.keys(COORDINATES).map(name => cell[name]).join("/");
const marks = places => [...places].map(place => data.arms[place].arm).sort().join(",");

/** The state as the address has it: only what differs from the page's own start. */
function address() {
  const said = new URLSearchParams();
  if (state.cell !== data.cells[data.start]) said.set("cell", coordinates(state.cell));
  if (state.words) said.set("words", state.words);
  if (marks(state.marked) !== marks(data.named)) said.set("mark", marks(state.marked));
  if (state.sort.key !== "ratio" || state.sort.down) said.set("sort", `${state.sort.key}${state.sort.down ? "-" : ""}`);
  return said.toString();
}

/** Takes the state from the address; what this run does not have stays as it is. */
function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1)), arms = said.get("mark")?.split(","), sort = said.get("sort");
  state.cell = data.cells.find(cell => coordinates(cell) === said.get("cell")) ?? state.cell;
  state.words = said.get("words") ?? "";
  if (arms) state.marked = new Set(d3.range(data.arms.length).filter(place => arms.includes(data.arms[place].arm)));
  if (sort) state.sort = {key: sort.replace(/-$/, ""), down: sort.endsWith("-")};
}

const isShown = row => hasWords([row.title, row.arm, row.family, row.verdict, row.isa, row.inventor, row.year].join(" "),
                                state.words);
const shownRows = cell => cell.rows.filter(isShown).sort((a, b) => compare(a.cost, b.cost) || compare(a.arm, b.arm));

/** Whether two cells differ in their pressure at most. */
const isAlike = (a, b) => Object.keys(COORDINATES).every(name => name === "pressure" || a[name] === b[name]);

/** The cell with one coordinate changed; where there is none, the one that keeps most of the others. */
function change(name, value) {
  const found = data.cells.filter(cell => String(cell[name]) === value);
  const kept = cell => Object.keys(COORDINATES).filter(other => cell[other] === state.cell[other]).length;
  return found.reduce((best, cell) => kept(cell) > kept(best) ? cell : best);
}

/** A number as people read it: `digits` significant ones, no exponent; a dash where it was not measured. */
function said(value, digits = 3) {
  if ((value ?? null) === null) return "\u2013";
  const size = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(value === 0 ? 0 : Math.min(8, Math.max(0, digits - 1 - size)));
}
const missesText = misses => misses > 0 && misses < 0.001 ? "<0.001" : said(misses);
const ratioText = ratio => ratio < 10 ? ratio?.toFixed(3) ?? "\u2013" : said(ratio, 4);
const intervalText = (low, high, show) => low === null || high === null ? "" : ` [${show(low)}, ${show(high)}]`;

/** A size in bytes as people read it. */
function sizeText(bytes) {
  if ((bytes ?? null) === null) return "\u2013";
  const unit = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10)), value = bytes / 1024 ** unit;
  return `${Number(value.toPrecision(3))} ${["B", "KiB", "MiB", "GiB", "TiB"][unit]}`;
}
