// SPDX-License-Identifier: MIT
// The ranked dots of the chosen cell.
"use strict";

const ROW = 21;

function drawRanking() {
  const rows = rowsOf(state.cell), container = byId("ranking-plot"), cell = state.cell;
  const percent = Number((100 * cell.margin).toPrecision(3));
  const band = cell.margin === null ? "" : `Margin \u00b1${percent} %, fixed before the run. `;
  byId("ranking-note").textContent = `${band}${cell.said}`;
  if (!rows.length) return container.replaceChildren("No method is left by the filters.");
  if (rows.every(row => row.ratio === null)) return container.replaceChildren("No reference ran in this cell: no ratios.");
  const {svg, width, narrow} = sheet(container, rows.length * ROW + 66, `Ranking: ${cell.name}`);
  const top = 20, bottom = top + rows.length * ROW, right = width - 58, most = narrow ? 17 : 26;
  const left = Math.min(most, d3.max(rows, row => row.label.length)) * 7 + 24;
  const ratios = rows.map(row => row.ratio).filter(ratio => ratio !== null), margin = cell.margin ?? 0.01;
  const cap = Math.max(1.5, 2 * ratios[Math.floor(0.75 * (ratios.length - 1))]);
  const lows = [...rows.map(row => row.low ?? row.ratio ?? 1), cell.empty ?? 1, 1 / (1 + 2 * margin)];
  const low = Math.max(d3.min(lows), 0.02) / 1.04;
  const high = Math.max(Math.min(d3.max(rows, row => row.high ?? row.ratio ?? 1), cap), 1 + 2 * margin) * 1.04;
  const x = d3.scaleLog([low, high], [left + 6, right]);
  drawAxis(svg, "bottom", x, logTicks(x, Math.max(3, Math.floor((right - left) / 58))), times, [top, bottom],
           narrow ? "time / reference (log)" : "time / time of the reference, logarithmic");
  if (cell.margin !== null) {
    const from = x(1 / (1 + margin));
    add(svg, "rect", {x: from, y: top, width: x(1 + margin) - from, height: bottom - top, fill: "var(--band)",
                      "fill-opacity": 0.7});
  }
  upright(svg, x(1), top, bottom, "var(--ink)");
  if (cell.empty !== null && cell.empty > low) {
    upright(svg, x(cell.empty), top, bottom, "var(--muted)", "5 4");
    add(svg, "text", {x: x(cell.empty), y: top - 6, class: "quiet", "text-anchor": "middle"}, "empty loop");
  }
  add(svg, "text", {x: width - 2, y: top - 6, class: "quiet", "text-anchor": "end"}, "ratio");
  const lines = svg.selectAll("g.row").data(rows).join("g").attr("class", "row")
      .attr("transform", (_, i) => `translate(0 ${top + (i + 0.5) * ROW})`);
  const isStrong = row => state.marked.has(row.place) || row.role === "reference";
  add(lines, "line", {x1: left, x2: width, stroke: "var(--grid)", "stroke-width": 0.6});
  add(lines, "rect", {x: 2, y: -5, width: 10, height: 10, rx: 2, fill: row => row.colour});
  add(lines, "text", {x: 18, y: 4, class: row => isStrong(row) ? "strong" : null}, row => cut(row.label, most));
  add(lines, "text", {x: width - 2, y: 4, "text-anchor": "end"}, row => ratioText(row.ratio));
  lines.each(function(row) { if (row.ratio !== null) drawRatio(d3.select(this), row, x); });
  add(lines, "rect", {class: "hit", y: -ROW / 2, width, height: ROW, "data-arm": row => row.place})
      .each(function(row) { tips.set(this, describe(row)); });
}

function drawRatio(line, row, x) {
  const [low, high] = x.domain(), right = x.range()[1];
  if (row.ratio > high) return add(line, "text", {x: right, y: 4, "text-anchor": "end", class: "quiet"}, "\u2192");
  if (row.low !== null)
    add(line, "line", {x1: x(Math.max(row.low, low)), x2: x(Math.min(row.high, high)), stroke: row.colour, "stroke-width": 3});
  return drawVerdict(line, row.verdict, x(row.ratio), 0, 4.6, row.colour);
}
