// SPDX-License-Identifier: MIT
// Table bytes against time: a panel per pressure, with the methods that no other beats in both.
"use strict";

function drawFootprint() {
  const container = byId("footprint-plot");
  if (!container) return;
  const sized = cell => shownRows(cell, "bytes").filter(row => row.bytes !== null && row.ratio !== null);
  const cells = data.cells.filter(cell => isAlike(cell, view.cell) && (cell.plain || cell === view.cell));
  const panels = cells.filter(cell => sized(cell).length).slice(0, 6);
  const figures = d3.select(container).selectAll("figure").data(panels).join(enter => {
    const figure = enter.append("figure");
    figure.append("div").attr("class", "plot");
    figure.append("figcaption");
    return figure;
  });
  figures.each(function(cell) { drawPanel(this, cell, sized(cell)); });
}

/** The methods that no other beats in both bytes and ratio, smallest first. */
function front(rows) {
  const sorted = [...rows].sort((a, b) => a.bytes - b.bytes || a.ratio - b.ratio);
  return sorted.filter((row, i) => sorted.slice(0, i).every(other => other.ratio > row.ratio));
}

function drawPanel(figure, cell, rows) {
  figure.dataset.name = `footprint-${cell.pressure}`;
  const {svg, width} = sheet(figure.querySelector(".plot"), 330, `Footprint against time: ${cell.name}`);
  const left = 46, right = width - 12, top = 40, bottom = 290, best = front(rows);
  const [low, most] = d3.extent(rows, row => row.ratio);
  const high = Math.min(1.08 * most, 1.2 * Math.max(2.5, best[0].ratio));
  const x = d3.scaleSymlog([0, d3.max([65536, ...rows.map(row => row.bytes)])], [left + 14, right - 8]).constant(512);
  const y = d3.scaleLog([low / 1.08, high], [bottom, top]).clamp(true);
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
    const point = add(svg, "g", {"data-contender": row.contender});
    drawPoint(point, row, x(row.bytes), y(row.ratio));
    add(point, "title", {}).text(describe(row, cell));
  }
  const names = best.map(row => `${row.label} (${sizeText(row.bytes)}, ${times(row.ratio)})`);
  const buttons = document.querySelector("#ranking .save").cloneNode(true);
  figure.querySelector("figcaption").replaceChildren(`On the step: ${names.join(", ")}. `, buttons);
}
