// SPDX-License-Identifier: MIT
// The page of a run: its data, and one state that all figures are drawn from and that stands in the address, so that a
// view can be shared.
"use strict";

const data = JSON.parse(byId("data").textContent);
const contenders = Object.fromEntries(data.contenders.map(contender => [contender.contender, contender]));
for (const cell of data.cells) cell.rows = cell.rows.map(row => ({...contenders[row.contender], ...row}));
const COORDINATES = {workload: "Workload", trace: "Trace", kinds: "Queries", pages: "Pages", corunners: "Co-runners",
                     pressure: "Pressure between queries"};
const coordinates = cell => Object.keys(COORDINATES).map(name => cell[name]).join("/");

// Which cell, what is typed into the filter, the contenders that are marked, and the column that sorts, with - if downwards.
const START = {cell: coordinates(data.cells[data.start]), words: "", marked: data.named.join(","), sort: "ratio"};
const state = {};
// What the state means for this run.
const view = {};

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

function readState() {
  view.cell = data.cells.find(cell => coordinates(cell) === state.cell) ?? data.cells[data.start];
  view.marked = new Set(state.marked.split(","));
  view.key = state.sort.replace(/^-/, "");
  view.down = state.sort.startsWith("-");
}

const FILTERED = ["title", "contender", "family", "verdict", "isa", "inventor", "year"];
const isShown = row => hasWords(FILTERED.map(name => row[name]).join(" "), state.words);
const shownRows = (cell, key, down) => cell.rows.filter(isShown).sort((a, b) => compare(a[key], b[key], down));

/** Whether two cells differ in their pressure at most. */
const isAlike = (a, b) => Object.keys(COORDINATES).every(name => name === "pressure" || a[name] === b[name]);

/** The cell with one coordinate changed; where there is none, the one that keeps most of the others. */
function change(name, value) {
  const found = data.cells.filter(cell => String(cell[name]) === value);
  const kept = cell => Object.keys(COORDINATES).filter(other => cell[other] === view.cell[other]).length;
  return found.reduce((best, cell) => kept(cell) > kept(best) ? cell : best);
}

/** A number as people read it: `digits` significant ones, no exponent; a dash where it was not measured. */
const said = (value, digits = 3) => (value ?? null) === null ? "\u2013" : d3.format(`.${digits}r`)(value);
const ratioText = ratio => said(ratio, 4);
const intervalText = (low, high, show = said) => low === null || high === null ? "" : ` [${show(low)}, ${show(high)}]`;

/** A size in bytes as people read it. */
function sizeText(bytes) {
  if ((bytes ?? null) === null) return "\u2013";
  const unit = bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10);
  return `${Number((bytes / 1024 ** unit).toPrecision(3))} ${["B", "KiB", "MiB", "GiB", "TiB"][unit]}`;
}
