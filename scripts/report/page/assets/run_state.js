// SPDX-License-Identifier: MIT
// The page of a run: its data, and one state that everything is drawn from and that stands in the address, so that a
// view can be shared.
"use strict";

// What the page carries: `data`, of which the first view is drawn, headers, figures and files.
const packed = {};
let data, contenders, START;
const UNJUDGED = {ratio: null, ratio_low: null, ratio_high: null, ratio_unflagged: null, verdict: ""};

/** Columns as rows, a column that is left out as null. */
const rowsOf = columns => (columns.contender ?? []).map(
    (_, i) => Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]])));

const COORDINATES = {workload: "Workload", trace: "Trace", kinds: "Queries", pages: "Pages", corunners: "Co-runners",
                     pressure: "Pressure between queries"};
const coordinates = cell => Object.keys(COORDINATES).map(name => cell[name]).join("/");
const isNarrow = () => document.documentElement.clientWidth < 600;

const state = {};
// What the state means for this run.
const view = {};

/** Takes what travels packed out of the page, and from it what the page starts with: the cell of the
 *  table of all methods, what is typed into its filter, the contenders that the reader shows, the column that sorts,
 *  with - if downwards, the columns, and the contender that is opened. */
async function unpack() {
  const bytes = Uint8Array.from(atob(byId("packed").textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  Object.assign(packed, await new Response(stream).json());
  data = packed.data;
  contenders = Object.fromEntries(data.contenders.map(contender => [contender.contender, contender]));
  for (const cell of data.cells) {
    cell.rows = rowsOf(cell.columns).map(row => ({...contenders[row.contender], ...UNJUDGED, ...row}));
    cell.reference = cell.rows.find(row => row.verdict === "reference");
    cell.empty = cell.reference && cell.empty_ns ? cell.empty_ns / cell.reference.ns_per_query : null;
  }
  START = {cell: coordinates(data.cells[data.start]), words: "", marked: "", sort: "ratio",
           columns: isNarrow() ? "verdict,ratio" : "ratio,verdict,best,ns_per_query,bytes", open: ""};
}

/** Takes the state from the address; what it does not say is as at the page's start. */
function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(START)) state[name] = said.get(name) ?? START[name];
}

/** Puts the state into the address, as far as it is not the page's start; a section's anchor may stay. */
function writeAddress() {
  const said = new URLSearchParams(Object.entries(state).filter(([name, value]) => value !== START[name])).toString();
  if (said || location.hash.includes("=")) history.replaceState(null, "", `#${said}`);
}

const listOf = text => text.split(",").filter(Boolean);

function readState() {
  view.cell = data.cells.find(cell => coordinates(cell) === state.cell) ?? data.cells[data.start];
  view.marked = new Set(listOf(state.marked).filter(contender => contender in contenders));
  view.situations = situations();
  view.named = namedMethods();
  view.sight = new Set([...view.named, ...view.marked]);
  view.key = state.sort.replace(/^-/, "");
  view.down = state.sort.startsWith("-");
  view.columns = listOf(state.columns);
}

const rowIn = (cell, contender) => cell.rows.find(row => row.contender === contender);
const contenderOf = name => name in contenders ? name : data.contenders.find(({method}) => method === name)?.contender;

/** The situations of the answer that have a column; of a run without an answer its plain cells. */
function situations() {
  const all = data.answer?.situations.filter(situation => situation.cell !== null) ?? [];
  const drawn = all.filter(({id}) => data.answer.table.situations.includes(id));
  if (all.length) return drawn.length ? drawn : all;
  const plain = [...data.cells.keys()].filter(place => data.cells[place].plain && data.cells[place].reference);
  const nothing = {id: "", what: "", change: "", rest: "", bound: null};
  return plain.slice(0, 8).map(cell => ({...nothing, title: data.cells[cell].name, cell}));
}

/** The situation that decides: tables are sorted by its column. */
const deciding = () => view.situations.find(({id}) => id === data.answer?.deciding) ??
    view.situations.find(({id}) => id === "net1024") ?? view.situations[0];

/** The contenders that the answer names: those of its table and of its lines; without an answer the first of a cell. */
function namedMethods() {
  const {table = {rows: []}, situations: told = []} = data.answer ?? {};
  const words = told.flatMap(({method, what, rest}) => [method, ...`${what} ${rest}`.match(/[\w@]+/g) ?? []]);
  const named = [...table.rows.map(([method]) => method), ...words].map(contenderOf).filter(Boolean);
  const first = named.length ? [] : view.cell.rows.slice(0, 8).map(row => row.contender);
  return new Set([...named, ...first, contenderOf(data.reference)].filter(Boolean));
}

const FILTERED = ["title", "contender", "family", "verdict", "isa", "inventor", "year"];
const isKept = row => row.verdict === "reference" || view.marked.has(row.contender);
const isShown = row => isKept(row) || hasWords(FILTERED.map(name => row[name]).join(" "), state.words);
const shownRows = (cell, key, down) => cell.rows.filter(isShown).sort((a, b) => compare(a[key], b[key], down));

/** The cell with one coordinate changed; where there is none, the one that keeps most of the others. */
function change(name, value) {
  const found = data.cells.filter(cell => String(cell[name]) === value);
  const kept = cell => Object.keys(COORDINATES).filter(other => cell[other] === view.cell[other]).length;
  return found.reduce((best, cell) => kept(cell) > kept(best) ? cell : best);
}
