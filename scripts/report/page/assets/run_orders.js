// SPDX-License-Identifier: MIT
// The rankings of many cells side by side, and their rank correlations.
"use strict";

const isAboutEngine = cell => ["engine", "perft", "duel"].includes(cell.workload);
const letter = i => i < 26 ? String.fromCharCode(65 + i) :
                             `${String.fromCharCode(64 + Math.floor(i / 26))}${String.fromCharCode(65 + i % 26)}`;

function drawOrders() {
  if (!byId("ranks")) return;
  const places = data.orders.cells.map((place, i) => ({cell: data.cells[place], i}))
                     .filter(({cell}) => cell.trace === state.cell.trace || isAboutEngine(cell));
  drawRanks(places.map(({cell}) => cell));
  drawCorrelations(places);
}

/** Ranks of every method in every cell; the shade says by how much it is faster or slower than the reference. */
function drawRanks(cells) {
  const table = byId("ranks");
  table.replaceChildren();
  const head = make(make(table, "thead"), "tr");
  make(head, "th", {scope: "col"}, "method");
  cells.forEach((cell, i) => {
    const th = make(head, "th", {scope: "col", class: "n"});
    th.append(
        letter(i), document.createElement("br"), isAboutEngine(cell) ? cell.trace : cell.workload,
        document.createElement("br"), isAboutEngine(cell) ? cell.workload : cell.pressure);
  });
  const ranks = cells.map(cell => new Map(rowsOf(cell).map((row, i) => [row.place, {rank: i + 1, row}])));
  const order = data.arms.map((arm, place) => place)
                    .filter(place => isShown(data.arms[place]) && ranks.some(map => map.has(place)));
  const mean = place => {
    const seen = ranks.filter(map => map.has(place));
    return seen.reduce((sum, map) => sum + map.get(place).rank, 0) / seen.length;
  };
  const body = make(table, "tbody");
  for (const place of order.sort((a, b) => mean(a) - mean(b))) {
    const line = make(body, "tr", {class: data.arms[place].role === "reference" ? "reference" : null});
    const name = make(line, "th", {scope: "row"});
    make(name, "span", {class: "swatch", style: `background: ${data.arms[place].colour}`});
    name.append(data.arms[place].label);
    for (const map of ranks) rankCell(line, map.get(place));
  }
}

function rankCell(line, found) {
  const cell = make(line, "td", {class: "heat"});
  if (!found) return cell.append("\u2013");
  const depth = found.row.ratio === null ? 0 : Math.min(1, Math.abs(Math.log2(found.row.ratio)));
  const side = found.row.ratio < 1 ? "var(--faster)" : "var(--slower)";
  cell.style.background = `color-mix(in srgb, ${side} ${Math.round(38 * depth)}%, var(--paper))`;
  cell.textContent = String(found.rank);
  explain(cell, describe(found.row));
}

function drawCorrelations(places) {
  const table = byId("correlations");
  table.replaceChildren();
  const head = make(make(table, "thead"), "tr");
  make(head, "th", {scope: "col"}, "Spearman \u03c1");
  places.forEach((_, i) => make(head, "th", {scope: "col", class: "n"}, letter(i)));
  const body = make(table, "tbody");
  places.forEach((a, i) => {
    const line = make(body, "tr");
    make(line, "th", {scope: "row"}, `${letter(i)}  ${a.cell.name}`);
    places.forEach(b => {
      const [rho, low, high, methods, bound] = data.orders.rho[a.i][b.i] ?? [null, null, null, 0, null];
      const cell = make(line, "td", {class: "heat"}, a === b ? "" : rho === null ? "\u2013" : rho.toFixed(2));
      const depth = rho === null || a === b ? 0 : Math.min(1, Math.max(0, 1 - rho));
      cell.style.background = `color-mix(in srgb, var(--slower) ${Math.round(38 * depth)}%, var(--paper))`;
      if (a === b || rho === null) return;
      const interval = intervalText(low, high, value => value.toFixed(2));
      const reach = bound === null ? "" : `; noise bounds it at ${bound.toFixed(2)}`;
      explain(cell, `${a.cell.name}\n${b.cell.name}\n\u03c1 = ${said(rho)}${interval}, ${methods} methods${reach}`);
      make(cell, "small", {class: "sub"}, `${interval} n = ${methods}`.trim());
    });
  });
}
