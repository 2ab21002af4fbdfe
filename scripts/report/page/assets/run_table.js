// SPDX-License-Identifier: MIT
// The table of all methods: sorted by a click on a heading, filtered by words and verdict; headers to copy.
"use strict";

const number = (key, head, show, optional = true) => ({key, head, number: show ?? (row => said(row[key] ?? null)),
    optional});
const COLUMNS = [
  {key: "title", head: "method", css: "name"},
  number("ratio", "ratio", row => ratioText(row.ratio), false),
  {key: "verdict", head: "verdict"},
  {key: "best", head: "the fastest?", optional: true},
  number("low", "95 % interval", row => intervalText(row.low, row.high, ratioText) || "\u2013", false),
  number("unflagged", "ratio, undisturbed rounds", row => ratioText(row.unflagged)),
  number("ns", "ns a query", row => said(row.ns) + intervalText(row.nsLow, row.nsHigh, said), false),
  number("net", "net of empty loop, ns", row => said(row.net) + intervalText(row.netLow, row.netHigh, said)),
  number("cycles", "cycles", row => said(row.cycles)),
  number("node", "ns a node"),
  ...data.counts.map(({metric, name, source}) => number(`${metric} ${source}`, `${name} a query, ${source}`,
      row => missesText(row[`${metric} ${source}`]))),
  ...["instructions", "loads", "branches"].map(name => number(name, `${name} a query`)),
  number("code", "code", row => sizeText(row.code)),
  number("bytes", "tables", row => sizeText(row.bytes)),
  {key: "isa", head: "ISA"},
  number("year", "year", row => row.year === null ? "\u2013" : String(row.year), false),
  {key: "inventor", head: "inventor", css: "name"},
  {key: "family", head: "family"},
  {key: "level", head: "level"},
];
const BEST_WORDS = {fastest: "yes", among: "may be", behind: "no"};

function compareRows(a, b) {
  const {key, down} = state.sort, x = a[key], y = b[key],
      empty = value => value === null || value === undefined || value === "";
  if (empty(x) || empty(y)) return empty(x) - empty(y) || (a.arm < b.arm ? -1 : 1);
  return (down ? -1 : 1) * (typeof x === "number" ? x - y : x.localeCompare(y)) || (a.arm < b.arm ? -1 : 1);
}

function drawTable() {
  const table = byId("methods-live"), isNode = state.cell.unit === "node";
  const measured = column => !column.optional || state.cell.unpacked.some(row => (row[column.key] ?? "") !== "");
  const columns = COLUMNS.filter(column => measured(column) && !(column.key === "node" && isNode));
  const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = row => {
    const text = ["title", "arm", "family", "verdict", "isa", "inventor", "year"].map(key => row[key])
        .join(" ").toLowerCase();
    return words.every(word => text.includes(word)) && (state.verdict === "" || row.verdict === state.verdict);
  };
  const rows = state.cell.unpacked.filter(row => isShown(row) && matches(row)).sort(compareRows);
  table.replaceChildren();
  const head = make(make(table, "thead"), "tr"), body = make(table, "tbody");
  for (const column of columns) {
    const sorted = state.sort.key === column.key ? (state.sort.down ? "descending" : "ascending") : null;
    const cell = make(head, "th", {scope: "col", class: column.number ? "n" : null, "aria-sort": sorted});
    make(cell, "button", {type: "button", "data-key": column.key},
        column.key === "ns" && isNode ? "ns a node" : column.head);
  }
  for (const row of rows) {
    const line = make(body, "tr", {class: row.role === "reference" ? "reference" : null, "data-id": row.arm});
    for (const column of columns) fillCell(make(line, "td", {class: column.number ? "n" : column.css ?? null}),
        column, row);
  }
  byId("methods-count").textContent = `${rows.length} of ${state.cell.unpacked.length} methods`;
}

function fillCell(cell, column, row) {
  if (column.number) cell.textContent = column.number(row);
  else if (column.key === "title") nameCell(cell, row);
  else if (column.key === "best") cell.textContent = BEST_WORDS[row.best] ?? "\u2013";
  else if (column.key === "verdict") {
    const span = make(cell, "span", {class: "verdict"});
    const icon = add(d3.select(span), "svg", {viewBox: "-7 -7 14 14", width: 12, height: 12, "aria-hidden": "true"});
    drawVerdict(icon, row.verdict, 0, 0, 4.6, "currentColor");
    span.append(` ${row.verdict || "no verdict"}`);
  } else cell.textContent = row[column.key] || "\u2013";
}

function nameCell(cell, row) {
  make(cell, "span", {class: "swatch", style: `background: ${row.colour}`});
  make(cell, row.link ? "a" : "span", {href: row.link, title: row.header}, row.title);
  cell.append(" ");
  make(cell, "span", {class: "id"}, row.label);
  if (headers[row.method]) {
    cell.append(" ");
    make(cell, "button", {type: "button", class: "small", "data-header": row.method,
        title: "one header, all that an engine needs"}, "copy header");
  }
}

// The headers travel packed, and are there a moment after the page.
let headers = {};
async function unpackHeaders() {
  const bytes = Uint8Array.from(atob(byId("headers").textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  headers = JSON.parse(await new Response(stream).text());
  drawTable();
}

byId("methods-live").addEventListener("click", event => {
  const method = event.target.dataset.header, key = event.target.closest("button[data-key]")?.dataset.key;
  if (method) return copy(headers[method], event.target);
  if (key === undefined) return null;
  state.sort = {key, down: state.sort.key === key && !state.sort.down};
  refresh();
  return byId("methods-live").querySelector(`button[data-key="${key}"]`).focus();
});
for (const [id, name, kind] of [["methods-filter", "words", "input"], ["methods-verdict", "verdict", "change"]]) {
  byId(id).addEventListener(kind, event => {
    state[name] = event.target.value;
    refresh();
  });
}
byId("copy-table").addEventListener("click", event => copy(markdown(byId("methods-live")), event.target));
