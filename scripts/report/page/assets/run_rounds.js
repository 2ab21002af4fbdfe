// SPDX-License-Identifier: MIT
// Diagnostics: the A/A control and the clock, round by round.
"use strict";

function drawRounds() {
  const container = byId("rounds-plot");
  if (!container) return;
  const entry = data.rounds.find(found => data.cells[found.cell] === state.cell) ?? data.rounds[0];
  const cell = data.cells[entry.cell];
  byId("rounds-note").textContent = cell === state.cell ? cell.name : `${cell.name} (the chosen cell has none)`;
  container.replaceChildren();
  if (entry.twin) {
    const margin = 100 * Math.log1p(cell.margin ?? 0);
    series(make(container, "div"), "A/A: ln ratio, %", entry.twin, 0, Math.max(2 * margin, 2), entry, margin);
  }
  if (entry.ghz) {
    const middle = [...entry.ghz].sort((a, b) => a - b)[entry.ghz.length >> 1];
    series(make(container, "div"), "effective clock, GHz", entry.ghz, middle, 0.02 * middle, entry, null);
  }
}

/** Dots over the rounds; what lies further out is a triangle at the edge. */
function series(container, title, values, middle, least, entry, margin) {
  const page = sheet(container, 190, title);
  const sizes = values.map(value => Math.abs(value - middle)).sort((a, b) => a - b);
  const reach = Math.max(least, 1.8 * sizes[Math.floor(0.95 * (sizes.length - 1))]);
  const left = 46, right = page.width - 8, top = 24, bottom = 160;
  const x = scale(0, Math.max(1, values.length - 1), left + 4, right),
        y = scale(middle - reach, middle + reach, bottom, top);
  if (margin)
    draw(page.svg, "rect", {
      x: left,
      y: y(margin),
      width: right - left,
      height: y(-margin) - y(margin),
      fill: "var(--band)",
      "fill-opacity": 0.6
    });
  drawAxis(page.svg, "left", y, evenTicks(y.low, y.high, 5), v => said(v, 3), [left, right], title);
  drawAxis(page.svg, "bottom", x, evenTicks(0, values.length - 1, page.narrow ? 4 : 8), String, [top, bottom], "");
  for (const start of (entry.launches ?? []).slice(1)) {
    draw(page.svg, "line", {
      x1: x(start - 0.5),
      x2: x(start - 0.5),
      y1: top,
      y2: bottom,
      stroke: "var(--muted)",
      "stroke-dasharray": "2 3"
    });
  }
  const disturbed = new Set(margin === null ? [] : entry.disturbed);
  values.forEach((value, i) => {
    const at = Math.min(Math.max(value, y.low), y.high), shape = value > at ? "up" : value < at ? "down" : "circle";
    drawShape(page.svg, shape, x(i), y(at), shape === "circle" ? 2 : 4, "var(--muted)", disturbed.has(i));
  });
}
