// SPDX-License-Identifier: MIT
// The table of all methods: sorted by a click on a heading, filtered by words and verdict.
"use strict";

const COLUMNS = [
  {key: "title", head: "method", css: "name"},
  {key: "verdict", head: "verdict"},
  {key: "best", head: "the fastest?", optional: true},
  {key: "ratio", head: "ratio", number: row => ratioText(row.ratio)},
  {
    key: "low",
    head: "95 % interval",
    number: row => intervalText(row.low, row.high, ratioText) || "\u2013"
  },
  {key: "unflagged", head: "ratio, undisturbed rounds", number: row => ratioText(row.unflagged), optional: true},
  {key: "ns", head: "ns a query", number: row => said(row.ns) + intervalText(row.nsLow, row.nsHigh, said)},
  {
    key: "net",
    head: "net of empty loop, ns",
    number: row => said(row.net) + intervalText(row.netLow, row.netHigh, said),
    optional: true
  },
  {key: "cycles", head: "cycles", number: row => said(row.cycles)},
  {key: "node", head: "ns a node", number: row => said(row.node), optional: true},
  ...data.counts.map(({metric, name, source}) => ({
                       key: `${metric} ${source}`,
                       head: `${name} a query, ${source}`,
                       number: row => missesText(row[`${metric} ${source}`]),
                       optional: true
                     })),
  {key: "instructions", head: "instructions a query", number: row => said(row.instructions ?? null), optional: true},
  {key: "loads", head: "loads a query", number: row => said(row.loads ?? null), optional: true},
  {key: "branches", head: "branches a query", number: row => said(row.branches ?? null), optional: true},
  {key: "code", head: "code", number: row => sizeText(row.code ?? null), optional: true},
  {key: "bytes", head: "tables", number: row => sizeText(row.bytes), optional: true},
  {key: "isa", head: "ISA"},
  {key: "year", head: "year", number: row => row.year === null ? "\u2013" : String(row.year)},
  {key: "inventor", head: "inventor", css: "name"},
  {key: "family", head: "family"},
  {key: "level", head: "level"},
];

function compareRows(a, b) {
  const {key, down} = state.sort, x = a[key], y = b[key], sign = down ? -1 : 1;
  const empty = value => value === null || value === undefined || value === "";
  if (empty(x) || empty(y)) return empty(x) - empty(y) || (a.arm < b.arm ? -1 : 1);
  return sign * (typeof x === "number" ? x - y : x.localeCompare(y)) || (a.arm < b.arm ? -1 : 1);
}

const BEST_WORDS = {
  fastest: "yes",
  among: "may be",
  behind: "no"
};

/** What a column is called: a query of perft and of the engine is a node. */
const headOf = column => column.key === "ns" && isAboutEngine(state.cell) ? "ns a node" : column.head;

function drawTable() {
  const table = byId("methods-live");
  const measured = column => !column.optional || state.cell.unpacked.some(row => (row[column.key] ?? "") !== "");
  const repeated = column => column.key === "node" && isAboutEngine(state.cell);
  const columns = COLUMNS.filter(column => measured(column) && !repeated(column));
  const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = row => {
    const text =
        `${row.title} ${row.arm} ${row.family} ${row.verdict} ${row.isa} ${row.inventor} ${row.year}`.toLowerCase();
    return words.every(word => text.includes(word)) && (state.verdict === "" || row.verdict === state.verdict);
  };
  const rows = state.cell.unpacked.filter(row => isShown(row) && matches(row)).sort(compareRows);
  table.replaceChildren();
  const head = make(make(table, "thead"), "tr");
  for (const column of columns) {
    const sorted = state.sort.key === column.key ? (state.sort.down ? "descending" : "ascending") : null;
    const cell = make(head, "th", {scope: "col", class: column.number ? "n" : null, "aria-sort": sorted});
    make(cell, "button", {type: "button", "data-key": column.key}, headOf(column));
  }
  const body = make(table, "tbody");
  for (const row of rows) tableRow(body, row, columns);
  byId("methods-count").textContent = `${rows.length} of ${state.cell.unpacked.length} methods`;
}

function tableRow(body, row, columns) {
  const line = make(body, "tr", {class: row.role === "reference" ? "reference" : null, "data-id": row.arm});
  for (const column of columns) {
    const cell = make(line, "td", {class: column.number ? "n" : column.css ?? null});
    if (column.number)
      cell.textContent = column.number(row);
    else if (column.key === "title")
      nameCell(cell, row);
    else if (column.key === "verdict")
      verdictCell(cell, row.verdict);
    else if (column.key === "best")
      cell.textContent = BEST_WORDS[row.best] ?? "\u2013";
    else
      cell.textContent = row[column.key] || "\u2013";
  }
}

function nameCell(cell, row) {
  make(cell, "span", {class: "swatch", style: `background: ${row.colour}`});
  make(cell, row.link ? "a" : "span", {href: row.link, title: row.header}, row.title);
  cell.append(" ");
  make(cell, "span", {class: "id"}, row.label);
}

function verdictCell(cell, verdict) {
  const span = make(cell, "span", {class: "verdict"});
  const icon = draw(span, "svg", {viewBox: "-7 -7 14 14", width: 12, height: 12, "aria-hidden": "true"});
  drawVerdict(icon, verdict, 0, 0, 4.6, "currentColor");
  span.append(` ${verdict || "no verdict"}`);
}

byId("methods-live").addEventListener("click", event => {
  const key = event.target.closest("button[data-key]")?.dataset.key;
  if (key === undefined) return;
  state.sort = {key, down: state.sort.key === key && !state.sort.down};
  drawTable();
  byId("methods-live").querySelector(`button[data-key="${key}"]`).focus();
});
byId("methods-filter").addEventListener("input", event => {
  state.words = event.target.value;
  drawTable();
});
byId("methods-verdict").addEventListener("change", event => {
  state.verdict = event.target.value;
  drawTable();
});
