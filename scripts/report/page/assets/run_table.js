// SPDX-License-Identifier: MIT
// The table of all methods: sorted by a click on a heading; headers to copy.
"use strict";

/** The columns of a cell's table: key of the row, heading, and for numbers how they are shown. One without a value in
 *  any row is left out. */
function columnsOf({unit, rows}) {
  const plain = key => row => said(row[key]);
  const columns = [
    ["title", "method"],
    ["ratio", "ratio", row => ratioText(row.ratio)],
    ["verdict", "verdict"],
    ["best", "the fastest?"],
    ["ratio_low", "95 % interval", row => intervalText(row.ratio_low, row.ratio_high, ratioText)],
    ["ratio_unflagged", "ratio, undisturbed rounds", row => ratioText(row.ratio_unflagged)],
    ["ns_per_query", `ns per ${unit}`, row => said(row.ns_per_query) + intervalText(row.ns_low, row.ns_high)],
    ["net_ns_per_query", "net of empty loop, ns",
     row => said(row.net_ns_per_query) + intervalText(row.net_low, row.net_high)],
    ["cycles", "cycles", plain("cycles")],
    ["ns_per_node", unit === "node" ? "" : "ns per node", plain("ns_per_node")],
    ...data.counts.map(({metric, name, source}) => [`${metric} ${source}`, `${name} per query, ${source}`,
                                                    row => said(row[`${metric} ${source}`])]),
    ...["instructions", "loads", "branches"].map(name => [name, `${name} per query`, plain(name)]),
    ["code", "code", row => sizeText(row.code)],
    ["bytes", "tables", row => sizeText(row.bytes)],
    ["isa", "ISA"],
    ["year", "year", row => row.year ?? "\u2013"],
    ["inventor", "inventor"],
    ["family", "family"],
    ["level", "level"],
    ["reference", "source"],
  ];
  return columns.filter(([key, head]) => head && rows.some(row => (row[key] ?? "") !== ""));
}

function drawTable() {
  const table = d3.select("#methods-live"), {cell, key, down} = view, columns = columnsOf(cell);
  const rows = shownRows(cell, key, down);
  table.html("<thead><tr></tr></thead><tbody></tbody>");
  table.select("tr").selectAll("th").data(columns).join("th").attr("class", ([, , show]) => show ? "n" : null)
      .attr("aria-sort", ([name]) => name === key ? (down ? "descending" : "ascending") : null)
      .append("button").attr("data-key", ([name]) => name).text(([, head]) => head);
  const lines = table.select("tbody").selectAll("tr").data(rows).join("tr").attr("data-id", row => row.contender)
      .attr("class", row => row.role);
  for (const [name, , show] of columns)
    lines.append("td").attr("class", show ? "n" : name).text(show ?? (row => row[name] || "\u2013"));
  lines.select("td.title").text("").each(fillName);
  byId("methods-count").textContent = `${rows.length} of ${cell.rows.length} methods`;
}

/** The first cell: a button that marks the method, its name, with a link where there are sources, and its header. */
function fillName(row) {
  const cell = d3.select(this);
  cell.append("button").attr("class", "swatch copy").style("background", row.colour).attr("data-contender", row.contender)
      .attr("aria-label", "mark in the figures").attr("aria-pressed", view.marked.has(row.contender));
  cell.append(row.link ? "a" : "span").attr("href", row.link).attr("title", row.header).text(row.title);
  cell.append("span").attr("class", "id").text(` ${row.label} `);
  if (headers[row.method])
    cell.append("button").attr("class", "copy").attr("data-header", row.method).text("copy header");
}

// The headers travel packed, and are there a moment after the page.
let headers = {};
async function unpackHeaders() {
  const bytes = Uint8Array.from(atob(byId("headers").textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  headers = await new Response(stream).json();
  drawTable();
}

byId("methods-live").addEventListener("click", event => {
  const {header, key} = event.target.dataset;
  if (header) copy(headers[header], event.target);
  if (!key) return;
  refresh({sort: state.sort === key ? `-${key}` : key});
  document.querySelector(`#methods-live [data-key="${key}"]`).focus();
});
