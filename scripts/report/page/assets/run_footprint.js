// SPDX-License-Identifier: MIT
// Table bytes against time, with the front of each pressure.
"use strict";

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
  if (!byId("footprint-plot")) return;  // engines have no tables to speak of
  const container = byId("footprint-plot"), sized = row => row.bytes !== null && row.ratio !== null;
  if (!container) return;
  const rows = rowsOf(state.cell).filter(sized);
  if (!rows.length) return container.replaceChildren("No method with a size and a ratio is left.");
  const page = sheet(container, page_height(container) + 40, `Footprint against time: ${state.cell.name}`);
  const left = 50, right = page.width - (page.narrow ? 70 : 110), top = 26, bottom = page.height - 44;
  const sizes = rows.map(row => row.bytes).filter(bytes => bytes > 0);
  const least = Math.min(...sizes, 4096), most = Math.max(...sizes, 65536);
  const zero = Math.log2(least) - 2, log = bytes => bytes === 0 ? zero : Math.log2(bytes);
  const x = scale(0, most * 1.5, left + 18, right, log);
  const others = pressureCells().filter(cell => cell !== state.cell && (cell.plain || cell.lines === 0));
  const fronts = [...others, state.cell].map(cell => ({cell, rows: front(rowsOf(cell).filter(sized))}));
  const high = Math.max(2.5, ...front(rows).map(cost)) * 1.3, seen = fronts.flatMap(entry => entry.rows.map(cost));
  const y = logScale(Math.min(...seen) / 1.08, Math.min(high, Math.max(...rows.map(cost)) * 1.08), bottom, top);
  drawAxis(page.svg, "left", y, logTicks(y.low, y.high, 8), times, [left, right], "time / reference (log)");
  const powers = Array.from({length: 24}, (_, i) => 2 ** i).filter(size => size >= least && size <= most * 1.5);
  drawAxis(page.svg, "bottom", x, [0, ...thin(powers, size => x(size), 54)], sizeText, [top, bottom], "table bytes");
  for (const level of data.caches.filter(level => level.bytes >= least && level.bytes <= most)) {
    draw(page.svg, "line", {
      x1: x(level.bytes),
      x2: x(level.bytes),
      y1: top,
      y2: bottom,
      stroke: "var(--muted)",
      "stroke-dasharray": "2 3"
    });
    draw(page.svg, "text", {x: x(level.bytes), y: top - 4, class: "quiet", "text-anchor": "middle"}, level.name);
  }
  drawFronts(page, fronts, x, y, right, top, bottom);
  const inside = rows.filter(row => cost(row) <= y.high);
  const points = inside.map(row => ({row, x: x(row.bytes), y: y(cost(row))}));
  for (const {row, x: px, y: py} of points) {
    drawVerdict(page.svg, row.verdict, px, py, 5, row.colour);
  }
  labelPoints(page, points, new Set(front(rows).map(row => row.place)), right);
  for (const point of points) {
    explain(
        draw(page.svg, "circle", {class: "hit", cx: point.x, cy: point.y, r: 9, "data-arm": point.row.place}),
        describe(point.row));
  }
  const beyond = rows.length - inside.length;
  byId("footprint-note").textContent = beyond ? `${beyond} slower methods lie above the figure.` : "";
}

const DASHES = ["1 3", "6 3", "10 3 2 3", "3 3", "12 4"];

function drawFronts(page, fronts, x, y, right, top, bottom) {
  const ends = [];
  fronts.forEach(({cell, rows}, i) => {
    const chosen = cell === state.cell;
    // What lies above the figure is left out: its step comes down from the upper edge.
    const inside = rows.filter(row => cost(row) <= y.high);
    if (!inside.length) return;
    let path = `M${x(inside[0].bytes)} ${inside.length < rows.length ? top : y(cost(inside[0]))}`;
    for (const row of inside) path += `H${x(row.bytes)}V${y(cost(row))}`;
    draw(page.svg, "path", {
      d: `${path}H${right}`,
      fill: "none",
      stroke: chosen ? "var(--link)" : "var(--muted)",
      "stroke-width": chosen ? 2.5 : 1.2,
      "stroke-dasharray": chosen ? null : DASHES[i % DASHES.length]
    });
    ends.push({y: y(cost(rows.at(-1))), cell, chosen});
  });
  spread(ends, 14, top + 4, bottom);
  for (const end of ends) {
    draw(
        page.svg, "text", {x: right + 4, y: end.at + 4, class: end.chosen ? "strong" : "quiet"},
        cut(end.cell.pressure, page.narrow ? 10 : 16));
  }
}

/** Names beside points, the front's and the marked ones' first; a name without a free place is left to the tooltip. */
function labelPoints(page, points, fronts, right) {
  const taken = points.map(p => [p.x - 6, p.y - 6, p.x + 6, p.y + 6]);
  const overlaps = box => taken.some(o => box[0] < o[2] && o[0] < box[2] && box[1] < o[3] && o[1] < box[3]);
  const rank = p => (fronts.has(p.row.place) ? 0 : 2) + (state.marked.has(p.row.place) ? 0 : 1);
  for (const point of [...points].sort((a, b) => rank(a) - rank(b) || a.y - b.y)) {
    if (page.narrow && rank(point) > 2) continue;
    const text = cut(point.row.label, page.narrow ? 16 : 24), width = text.length * 6.4;
    const places = [
      [9, 4], [-9 - width, 4], [-width / 2, -10], [-width / 2, 18], [9, -8], [9, 16], [-9 - width, -8], [-9 - width, 16]
    ];
    for (const [dx, dy] of places) {
      const box = [point.x + dx, point.y + dy - 11, point.x + dx + width, point.y + dy + 2];
      if (box[0] < 2 || box[2] > right || box[1] < 20 || box[3] > page.height - 46 || overlaps(box)) continue;
      taken.push(box);
      draw(page.svg, "text", {x: point.x + dx, y: point.y + dy, class: rank(point) === 3 ? "quiet" : null}, text);
      break;
    }
  }
}
