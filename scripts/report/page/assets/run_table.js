// SPDX-License-Identifier: MIT
// The table of all methods in the chosen cell: its columns, its order, and the row that is open.
"use strict";

/** The columns of a cell's table: key of the row, heading, and for numbers how they are shown. One without a value in
 *  any row is left out. */
function columnsOf({unit, rows}) {
  const plain = key => row => said(row[key]);
  const time = (key, low, high) => row => withUnit(said(row[key]), "ns") + intervalText(row[low], row[high]);
  const columns = [
    ["ratio", `time against ${data.reference}`, changeWithInterval],
    ["verdict", "verdict"],
    ["best", "the fastest?"],
    ["ratio_unflagged", "the same, undisturbed rounds", row => changeText(row.ratio_unflagged)],
    ["ns_per_query", `time per ${unit}`, time("ns_per_query", "ns_low", "ns_high")],
    ["net_ns_per_query", "net of empty loop", time("net_ns_per_query", "net_low", "net_high")],
    ["cycles", "cycles", plain("cycles")],
    ["ns_per_node", unit === "node" ? "" : "time per node", row => withUnit(said(row.ns_per_node), "ns")],
    ...data.counts.map(({metric, name, source}) => [`${metric} ${source}`, `${name} per query, ${source}`,
                                                    row => said(row[`${metric} ${source}`])]),
    ...["instructions", "loads", "branches"].map(name => [name, `${name} per query`, plain(name)]),
    ["code", "code", row => sizeText(row.code)],
    ["bytes", "tables", row => sizeText(row.bytes)],
    ["isa", "ISA"],
    ["year", "year", row => row.year ?? DASH],
    ["inventor", "inventor"],
    ["family", "family"],
    ["level", "level"],
    ["reference", "source"],
  ];
  return columns.filter(([key, head]) => head && rows.some(row => (row[key] ?? "") !== ""));
}

/** The columns that are chosen, after the name. */
const chosenColumns = cell => [["title", "method"], ...columnsOf(cell).filter(([key]) => view.columns.includes(key))];

function drawTable() {
  const table = d3.select("#methods-live"), {cell, key, down} = view, columns = chosenColumns(cell);
  const rows = shownRows(cell, key, down);
  table.html("<thead><tr></tr></thead><tbody></tbody>");
  table.select("tr").selectAll("th").data(columns).join("th").attr("scope", "col")
      .attr("class", ([, , show]) => show ? "n" : null)
      .attr("aria-sort", ([name]) => name === key ? (down ? "descending" : "ascending") : null)
      .append("button").attr("data-key", ([name]) => name).attr("aria-label", ([, head]) => `${head}, sort all methods`)
      .text(([, head]) => head);
  const lines = table.select("tbody").selectAll("tr").data(rows).join("tr").attr("data-id", row => row.contender)
      .attr("class", row => isKept(row) ? "kept" : null);
  lines.append("th").attr("scope", "row").attr("class", "title").each(fillName);
  for (const [name, , show] of columns.slice(1))
    lines.append("td").attr("class", row => cellClass(name, show, row))
        .text(name === "verdict" ? verdictText : show ?? (row => row[name] || DASH));
  lines.filter(row => row.contender === state.open).each(openRow);
  byId("methods-count").textContent = `${rows.length} of ${cell.rows.length} methods`;
  drawColumns(cell);
}

/** Colour is for what is decided alone. */
function cellClass(name, isNumber, row) {
  const isJudged = ["ratio", "verdict"].includes(name);
  return [isNumber ? "n" : name, isJudged ? (isUndecided(row) ? "undecided" : row.verdict) : ""].join(" ").trim();
}

/** The first cell: a button that shows the method in every figure, and its name, which opens its code and counts. */
function fillName(row) {
  const cell = d3.select(this), isAlways = view.named.has(row.contender);
  const swatch = cell.append(isAlways ? "span" : "button").attr("class", "swatch copy");
  if (!isAlways)
    swatch.attr("data-contender", row.contender).attr("aria-pressed", view.marked.has(row.contender))
        .attr("aria-label", `${row.label}: show in every figure`).attr("title", "show in every figure");
  swatch.style(isAlways ? "background" : "border-color", row.colour)
      .style("background", isAlways || view.marked.has(row.contender) ? row.colour : null);
  cell.append("button").attr("class", "plain id").attr("data-open", row.contender).text(row.label)
      .attr("aria-expanded", row.contender === state.open).attr("title", row.title);
}

/** A box a column, to choose it. */
function drawColumns(cell) {
  const labels = d3.select("#columns").selectAll("label").data(columnsOf(cell), ([key]) => key).join(enter => {
    const label = enter.append("label");
    label.append("input").attr("type", "checkbox").attr("value", ([key]) => key);
    label.append("span");
    return label;
  });
  labels.select("input").property("checked", ([key]) => view.columns.includes(key));
  labels.select("span").text(([, head]) => ` ${head}`);
}

/** The table as CSV: its columns as they are shown. */
function csv(table) {
  const texts = [...table.rows].filter(row => !row.matches(".opened")).map(row => [...row.cells].map(cellText));
  return texts.map(row => row.map(text => `"${text.replaceAll('"', '""')}"`).join(",")).join("\n") + "\n";
}

byId("columns").addEventListener("change", () => {
  const boxes = [...document.querySelectorAll("#columns input")];
  const others = view.columns.filter(key => !boxes.some(box => box.value === key));
  refresh({columns: [...boxes.filter(box => box.checked).map(box => box.value), ...others].join(",") || "verdict"});
});

/** Does what redraws the table, and leaves the focus on the button that did it. */
function refreshFrom(button, name, changed) {
  const value = button.dataset[name];
  refresh(changed);
  document.querySelector(`#methods-live [data-${name}="${CSS.escape(value)}"]`)?.focus({preventScroll: true});
}

byId("methods-live").addEventListener("click", ({target}) => {
  const {key, open} = target.dataset;
  if (key) refreshFrom(target, "key", {sort: state.sort === key ? `-${key}` : key});
  if (open) refreshFrom(target, "open", {open: state.open === open ? "" : open});
});
