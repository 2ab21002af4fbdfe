// SPDX-License-Identifier: MIT
// Table bytes against time: a panel a pressure, with the methods that no other beats in both.
"use strict";

const MOST_PANELS = 6;

/** The methods that no other beats in both bytes and cost, smallest first. */
function front(rows) {
  let best = Infinity;
  return [...rows].sort((a, b) => a.bytes - b.bytes || cost(a) - cost(b)).filter(row => {
    const beats = cost(row) < best;
    if (beats) best = cost(row);
    return beats;
  });
}

function drawFootprint() {
  const container = byId("footprint-plot");
  if (!container) return;
  const sized = cell => rowsOf(cell).filter(row => row.bytes !== null && row.ratio !== null);
  const all = pressureCells().filter(cell => sized(cell).length);
  const cells = all.filter(cell => cell.plain || cell === state.cell).slice(0, MOST_PANELS);
  container.replaceChildren();
  byId("footprint-note").textContent = cells.length ? "" : "No method with a size and a ratio is left.";
  let beyond = 0;
  for (const cell of cells) {
    const figure = make(container, "figure", {"data-name": `footprint-${cell.pressure}`});
    beyond = Math.max(beyond, drawPanel(figure, cell, sized(cell), cell === state.cell));
    make(figure, "figcaption").append(document.querySelector("#ranking .save").cloneNode(true));
  }
  if (beyond) byId("footprint-note").textContent = `In each panel, up to ${beyond} slower methods lie above the figure.`;
}

/** Draws one pressure; returns how many methods lie above the figure. */
function drawPanel(figure, cell, rows, isChosen) {
  const {svg, width, height} = sheet(make(figure, "div", {class: "plot"}), 330, `Footprint against time: ${cell.name}`);
  const left = 46, right = width - 12, top = 40, bottom = height - 40, best = front(rows);
  const sizes = rows.map(row => row.bytes).filter(bytes => bytes > 0);
  const least = Math.min(...sizes, 4096), most = Math.max(...sizes, 65536) * 1.5;
  // No logarithm has a place for 0 B: it gets one, left of the smallest table.
  const zero = Math.log2(least) - 2, place = bytes => bytes === 0 ? zero : Math.log2(bytes);
  const log = d3.scaleLinear([zero, Math.log2(most)], [left + 14, right]);
  const x = Object.assign(bytes => log(place(bytes)), {range: log.range, copy: () => x});
  const high = Math.min(Math.max(2.5, d3.max(best, cost)) * 1.3, d3.max(rows, cost) * 1.08);
  const y = d3.scaleLog([d3.min(rows, cost) / 1.08, high], [bottom, top]);
  add(svg, "text", {x: 2, y: 14, class: isChosen ? "strong" : null}, cut(cell.pressure, 40));
  drawAxis(svg, "left", y, logTicks(y, 7), times, [left, right], "");
  const powers = d3.range(24).map(i => 2 ** i).filter(size => size >= least && size <= most);
  const ticks = [0, ...thin(powers, x, 58).filter(size => x(size) - x(0) > 40)];
  drawAxis(svg, "bottom", x, ticks, sizeText, [top, bottom], "table bytes");
  drawCaches(svg, x, [least, most], top, bottom);
  const inside = rows.filter(row => cost(row) <= high), steps = best.filter(row => cost(row) <= high);
  if (steps.length) {
    const path = steps.map((row, i) => i ? `H${x(row.bytes)}V${y(cost(row))}` : `M${x(row.bytes)} ${y(cost(row))}`).join("");
    add(svg, "path", {d: `${path}H${right}`, fill: "none", stroke: "var(--link)", "stroke-width": 2});
  }
  const points = inside.map(row => ({row, x: x(row.bytes), y: y(cost(row))}));
  for (const point of points) drawVerdict(svg, point.row.verdict, point.x, point.y, 4.2, point.row.colour);
  labelPoints(svg, points, new Set(best.map(row => row.place)), right);
  for (const {row, x: cx, y: cy} of points)
    explain(add(svg, "circle", {class: "hit", cx, cy, r: 8, "data-arm": row.place}), describe(row, cell));
  return rows.length - inside.length;
}

/** Names beside points, the front's and the marked ones alone; one without a free place is left to the tooltip. */
function labelPoints(svg, points, fronts, right) {
  const taken = points.map(p => [p.x - 5, p.y - 5, p.x + 5, p.y + 5]);
  const overlaps = box => taken.some(o => box[0] < o[2] && o[0] < box[2] && box[1] < o[3] && o[1] < box[3]);
  const named = points.filter(p => fronts.has(p.row.place) || state.marked.has(p.row.place));
  for (const point of named.sort((a, b) => fronts.has(b.row.place) - fronts.has(a.row.place) || a.y - b.y)) {
    const text = cut(point.row.label, 18), width = text.length * 6.4 + 4;
    for (const [dx, dy] of [[8, 4], [-8 - width, 4], [-width / 2, -9], [-width / 2, 17], [8, -8], [8, 16],
        [-8 - width, -8], [-8 - width, 16]]) {
      const box = [point.x + dx, point.y + dy - 11, point.x + dx + width, point.y + dy + 3];
      if (box[0] < 46 || box[2] > right + 8 || box[1] < 18 || overlaps(box)) continue;
      taken.push(box);
      add(svg, "text", {x: box[0] + 2, y: point.y + dy, class: "name"}, text).style("fill", point.row.text);
      break;
    }
  }
}
