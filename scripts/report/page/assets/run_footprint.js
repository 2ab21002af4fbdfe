// SPDX-License-Identifier: MIT
// Table bytes against time: a panel per pressure, with the methods that no other beats in both.
"use strict";

function drawFootprint() {
  const container = byId("footprint-plot");
  const sized = cell => cell.rows.filter(row => row.bytes !== null && row.ratio !== null);
  const cells = data.cells.filter(cell => isAlike(cell, view.cell) && (cell.plain || cell === view.cell));
  const panels = cells.filter(cell => sized(cell).length).slice(0, 6);
  const figures = d3.select(container).selectAll("figure").data(panels).join(enter => {
    const figure = enter.append("figure");
    figure.append("div").attr("class", "plot");
    figure.append("figcaption").append(() => saveButtons("")).attr("class", "save");
    return figure;
  });
  figures.each(function(cell) { drawFootprints(this, cell, sized(cell)); });
}

/** The methods that no other beats in both bytes and ratio, smallest first. */
function front(rows) {
  const sorted = [...rows].sort((a, b) => a.bytes - b.bytes || a.ratio - b.ratio);
  return sorted.filter((row, i) => sorted.slice(0, i).every(other => other.ratio > row.ratio));
}

function drawFootprints(figure, cell, rows) {
  nameFigure(figure, `footprint-${cell.name}`, `the footprint, ${cell.name}`);
  const best = front(rows), left = 46, top = 40, bottom = 290;
  const words = `Footprint against time, ${cell.name}: no other beats in both ${nameList(best)}`;
  const {svg, width} = sheet(figure.querySelector(".plot"), 330, words), right = width - 12;
  const [low, most] = d3.extent(rows, row => row.ratio);
  const high = Math.min(1.08 * most, 1.2 * Math.max(2.5, best[0].ratio));
  const x = d3.scaleSymlog([0, d3.max([65536, ...rows.map(row => row.bytes)])], [left + 14, right - 8]).constant(512);
  const y = d3.scaleLog([low / 1.03, high], [bottom - 13 * best.length - 8, top]).clamp(true);
  write(svg, 2, 14, cut(cell.pressure, 40), {"font-weight": cell === view.cell ? 700 : null});
  drawAxis(svg, "left", y, ratioTicks(y, 24), times, [left, right], "");
  const sizes = [0, ...d3.range(11, 24).map(power => 2 ** power).filter(size => size <= x.domain()[1])];
  drawAxis(svg, "bottom", x, thin(sizes, x, 58), sizeText, [top, bottom], "table bytes");
  for (const {name, bytes} of data.caches.filter(cache => cache.bytes <= x.domain()[1])) {
    upright(svg, x(bytes), top, bottom, MUTED, "2 3");
    write(svg, x(bytes), top - 4, name, {fill: MUTED, "text-anchor": "middle"});
  }
  const step = d3.line().curve(d3.curveStepAfter).x(row => x(row.bytes)).y(row => y(row.ratio));
  add(svg, "path", {d: `${step(best)}H${right}`, fill: "none", stroke: INK, "stroke-opacity": 0.5});
  for (const row of rows) {
    const point = add(svg, "g", {});
    drawPoint(point, row, x(row.bytes), y(row.ratio));
    add(point, "title", {}).text(describe(row, cell));
  }
  let last = 0;
  for (const row of best) {
    last = Math.max(y(row.ratio) + 16, last + 13);
    const isRight = x(row.bytes) > (left + right) / 2;
    write(svg, x(row.bytes) + (isRight ? -6 : 6), last, cut(row.label, 22),
          {fill: row.text, "text-anchor": isRight ? "end" : "start"});
  }
}

const nameList = rows => rows.map(row => `${row.label} (${sizeText(row.bytes)}, ${changeText(row.ratio)})`).join(", ");
