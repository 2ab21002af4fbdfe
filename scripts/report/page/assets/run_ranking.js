// SPDX-License-Identifier: MIT
// The ranked dots of the chosen cell.
"use strict";

const ROW = 21;

function drawRanking() {
  const {cell} = view, rows = shownRows(cell, "ratio"), container = byId("ranking-plot"), margin = cell.margin ?? 0;
  byId("ranking-note").textContent =
      `${margin ? `Margin \u00b1${Number((100 * margin).toPrecision(3))} %, fixed before the run. ` : ""}${cell.said}`;
  if (!rows.some(row => row.ratio)) return container.replaceChildren("No method with a ratio is left.");
  const {svg, width} = sheet(container, rows.length * ROW + 66, `Ranking: ${cell.name}`);
  const top = 20, bottom = top + rows.length * ROW, right = width - 58, most = width < 560 ? 17 : 26;
  const left = Math.min(most, d3.max(rows, row => row.label.length)) * 7 + 24;
  const least = d3.min([...rows.map(row => row.ratio_low ?? row.ratio), cell.empty, 1 / (1 + 2 * margin)]);
  const ratios = rows.map(row => row.ratio).filter(ratio => ratio !== null);
  const cap = Math.max(1.5, Math.min(1.04 * d3.max(ratios), 2 * d3.quantile(ratios, 0.75)));
  const x = d3.scaleLog([Math.max(least, 0.02) / 1.04, cap], [left + 6, right]).clamp(true);
  drawAxis(svg, "bottom", x, ratioTicks(x, 42), times, [top, bottom], "time / time of the reference, logarithmic");
  const [from, to] = [x(1 / (1 + margin)), x(1 + margin)];
  add(svg, "rect", {x: from, y: top, width: to - from, height: bottom - top, fill: BAND});
  upright(svg, x(1), top, bottom, INK);
  if (cell.empty !== null) {
    upright(svg, x(cell.empty), top, bottom, MUTED, "5 4");
    write(svg, x(cell.empty), top - 6, "empty loop", {fill: MUTED, "text-anchor": "middle"});
  }
  const lines = svg.selectAll("g.row").data(rows).join("g").attr("class", "row").attr("data-contender", row => row.contender)
      .attr("transform", (_, i) => `translate(0 ${top + (i + 0.5) * ROW})`);
  const isStrong = row => view.marked.has(row.contender) || row.role === "reference";
  add(lines, "rect", {y: -ROW / 2, width, height: ROW, fill: "transparent"});
  add(lines, "rect", {x: 2, y: -5, width: 10, height: 10, fill: row => row.colour});
  write(lines, 18, 4, row => cut(row.label, most), {"font-weight": row => isStrong(row) ? 700 : null});
  write(lines, width - 2, 4, row => ratioText(row.ratio), {"text-anchor": "end"});
  const measured = lines.filter(row => row.ratio !== null);
  add(measured, "line", {x1: row => x(row.ratio_low ?? row.ratio), x2: row => x(row.ratio_high ?? row.ratio),
                         stroke: row => row.colour, "stroke-width": 3});
  measured.each(function(row) { drawPoint(d3.select(this), row, x(row.ratio), 0); });
  add(lines, "title", {}).text(row => describe(row, cell));
}
