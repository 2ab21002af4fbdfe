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
    svg.append("rect").attr("x", x(1 / (1 + margin))).attr("y", top).attr("width", x(1 + margin) - x(1 / (1 + margin)))
        .attr("height", bottom - top).attr("fill", "var(--band)").attr("fill-opacity", 0.7);
  }
  const upright = (at, stroke, dashes) => svg.append("line").attr("x1", x(at)).attr("x2", x(at)).attr("y1", top)
      .attr("y2", bottom).attr("stroke", stroke).attr("stroke-dasharray", dashes);
  upright(1, "var(--ink)", null);
  if (cell.empty !== null && cell.empty > low) {
    upright(cell.empty, "var(--muted)", "5 4");
    svg.append("text").attr("x", x(cell.empty)).attr("y", top - 6).attr("class", "quiet")
        .attr("text-anchor", "middle").text("empty loop");
  }
  svg.append("text").attr("x", width - 2).attr("y", top - 6).attr("class", "quiet").attr("text-anchor", "end")
      .text("ratio");
  const lines = svg.selectAll("g.row").data(rows).join("g").attr("class", "row")
      .attr("transform", (_, i) => `translate(0 ${top + (i + 0.5) * ROW})`);
  lines.append("line").attr("x1", left).attr("x2", width).attr("stroke", "var(--grid)").attr("stroke-width", 0.6);
  lines.append("rect").attr("x", 2).attr("y", -5).attr("width", 10).attr("height", 10).attr("rx", 2)
      .attr("fill", row => row.colour);
  lines.append("text").attr("x", 18).attr("y", 4).text(row => cut(row.label, most))
      .attr("class", row => state.marked.has(row.place) || row.role === "reference" ? "strong" : null);
  lines.append("text").attr("x", width - 2).attr("y", 4).attr("text-anchor", "end").text(row => ratioText(row.ratio));
  lines.each(function(row) { if (row.ratio !== null) drawRatio(d3.select(this), row, x); });
  lines.append("rect").attr("class", "hit").attr("y", -ROW / 2).attr("width", width).attr("height", ROW)
      .attr("data-arm", row => row.place).each(function(row) { tips.set(this, describe(row)); });
}

function drawRatio(line, row, x) {
  const [low, high] = x.domain(), right = x.range()[1];
  if (row.ratio > high) return line.append("text").attr("x", right).attr("y", 4).attr("text-anchor", "end")
      .attr("class", "quiet").text("\u2192");
  if (row.low !== null) {
    line.append("line").attr("x1", x(Math.max(row.low, low))).attr("x2", x(Math.min(row.high, high)))
        .attr("stroke", row.colour).attr("stroke-width", 3);
  }
  return drawVerdict(line, row.verdict, x(row.ratio), 0, 4.6, row.colour);
}
