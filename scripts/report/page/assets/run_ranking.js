// SPDX-License-Identifier: MIT
// Ranked dots, and beside them the misses in a cache of the chosen size.
"use strict";

const ROW = 21;

/** Names on the left of a dot plot, and the stripes that a pointer hits. Returns where the plot begins. */
function nameRows(page, rows, top, describe) {
  const most = page.narrow ? 17 : 26;
  const left = Math.min(most, Math.max(...rows.map(row => row.label.length), 6)) * 7 + 24;
  rows.forEach((row, i) => {
    const y = top + (i + 0.5) * ROW;
    draw(page.svg, "line", {x1: left, x2: page.width, y1: y, y2: y, stroke: "var(--grid)", "stroke-width": 0.6});
    draw(page.svg, "rect", {x: 2, y: y - 5, width: 10, height: 10, rx: 2, fill: row.colour});
    draw(
        page.svg, "text",
        {x: 18, y: y + 4, class: state.marked.has(row.place) || row.role === "reference" ? "strong" : ""},
        cut(row.label, most));
    row.hit = () => explain(
        draw(
            page.svg, "rect",
            {class: "hit", x: 0, y: y - ROW / 2, width: page.width, height: ROW, "data-arm": row.place}),
        describe(row));
  });
  return left;
}

function describe(row) {
  const interval = intervalText(row.low, row.high, ratioText);
  return `${row.title} (${row.label})\n${row.verdict || "no verdict"}: ratio ${ratioText(row.ratio)}${interval}\n` +
      `${said(row.ns)}${intervalText(row.nsLow, row.nsHigh, said)} ns a ${isAboutEngine(state.cell) ? "node" : "query"}` +
      (row.bytes === null ? "" : `, tables ${sizeText(row.bytes)}`);
}

function drawRanking() {
  const rows = rowsOf(state.cell), container = byId("ranking-plot"), cell = state.cell;
  const percent = Number((100 * cell.margin).toPrecision(3));
  const band = cell.margin === null ? "" : `Margin \u00b1${percent} %, fixed before the run.`;
  byId("ranking-note").textContent = cell.unresolved ? `${band} This cell is ${cell.unresolved}.` : band;
  if (!rows.length) return container.replaceChildren("No method is left by the filters.");
  if (rows.every(row => row.ratio === null))
    return container.replaceChildren("No reference ran in this cell: no ratios.");
  const page = sheet(container, rows.length * ROW + 66, `Ranking: ${cell.name}`);
  const top = 20, bottom = top + rows.length * ROW, right = page.width - 58;
  const left = nameRows(page, rows, top, describe);
  const ratios = rows.map(row => row.ratio).filter(ratio => ratio !== null);
  const middle = ratios[Math.floor(0.75 * (ratios.length - 1))];
  const margin = cell.margin ?? 0.01, cap = Math.max(1.5, 2 * middle);
  const lows = [...rows.map(row => row.low ?? row.ratio ?? 1), cell.empty ?? 1, 1 / (1 + 2 * margin)];
  const low = Math.max(Math.min(...lows), 0.02) / 1.04;
  const high = Math.max(Math.min(Math.max(...rows.map(row => row.high ?? row.ratio ?? 1)), cap), 1 + 2 * margin) * 1.04;
  const x = logScale(low, high, left + 6, right);
  drawAxis(
      page.svg, "bottom", x, logTicks(low, high, Math.max(3, Math.floor((right - left) / 58))), times, [top, bottom],
      page.narrow ? "time / reference (log)" : "time / time of the reference, logarithmic");
  if (cell.margin !== null) {
    draw(page.svg, "rect", {
      x: x(1 / (1 + margin)),
      y: top,
      width: x(1 + margin) - x(1 / (1 + margin)),
      height: bottom - top,
      fill: "var(--band)",
      "fill-opacity": 0.7
    });
  }
  draw(page.svg, "line", {x1: x(1), x2: x(1), y1: top, y2: bottom, stroke: "var(--ink)"});
  if (cell.empty !== null && cell.empty > low) {
    draw(
        page.svg, "line",
        {x1: x(cell.empty), x2: x(cell.empty), y1: top, y2: bottom, stroke: "var(--muted)", "stroke-dasharray": "5 4"});
    draw(page.svg, "text", {x: x(cell.empty), y: top - 6, class: "quiet", "text-anchor": "middle"}, "empty loop");
  }
  draw(page.svg, "text", {x: page.width - 2, y: top - 6, class: "quiet", "text-anchor": "end"}, "ratio");
  rows.forEach((row, i) => {
    const y = top + (i + 0.5) * ROW;
    if (row.ratio !== null) drawRatio(page, row, x, y);
    draw(page.svg, "text", {x: page.width - 2, y: y + 4, "text-anchor": "end"}, ratioText(row.ratio));
  });
  rows.forEach(row => row.hit());
}

function drawRatio(page, row, x, y) {
  if (row.ratio > x.high) {
    draw(page.svg, "text", {x: x.to, y: y + 4, "text-anchor": "end", class: "quiet"}, "\u2192");
    return;
  }
  if (row.low !== null) {
    const ends = [x(Math.max(row.low, x.low)), x(Math.min(row.high, x.high))];
    draw(page.svg, "line", {x1: ends[0], x2: ends[1], y1: y, y2: y, stroke: row.colour, "stroke-width": 3});
  }
  drawVerdict(page.svg, row.verdict, x(row.ratio), y, 4.6, row.colour);
}

/** What the misses beside the ranking are, in a sentence. */
function missesWords(found) {
  const both = found.some(value => value.counted !== null) && found.some(value => value.simulated !== null);
  if (state.level !== "any") {
    const model = "a model of this machine\u2019s caches, for a replay of the trace";
    if (both) return `Filled: counted by the hardware. Hollow: simulated, not measured: ${model}.`;
    return found.some(value => value.counted !== null) ? "Counted by the hardware." :
                                                         `Simulated, not measured: ${model}.`;
  }
  const entry = grid(64);
  const lines = entry.loads[loadOf(entry)];
  return `Simulated, not measured: a fully associative cache of ${sizeText(entry.sizes[state.size])} on the trace ` +
      `${entry.trace}, with ${lines} other lines touched at each evaluation (the nearest that was computed).`;
}

function drawMisses() {
  const rows = rowsOf(state.cell), container = byId("misses-plot");
  const found = rows.map(row => missesOf(row, state.level)), shown = value => value.counted ?? value.simulated;
  if (!found.some(hasMisses)) {
    byId("misses-note").textContent = "";
    return container.replaceChildren();
  }
  byId("misses-note").textContent = missesWords(found);
  const what = data.counts.find(count => count.metric === state.level)?.name ?? "misses";
  const page = sheet(container, rows.length * ROW + 66, `${what} a query: ${state.cell.name}`);
  const top = 20, bottom = top + rows.length * ROW, right = page.width - 58;
  const words = row => {
    const {counted, simulated} = missesOf(row, state.level);
    const parts = [[counted, "counted"], [simulated, "simulated"]].filter(([value]) => value !== null);
    const said_ = parts.map(([value, source]) => `${missesText(value)} ${source}`).join(", ") || "\u2013";
    return `${row.title} (${row.label})\n${what} a query: ${said_}`;
  };
  const left = nameRows(page, rows, top, words);
  const all = found.flatMap(value => [value.counted ?? 0, value.simulated ?? 0]);
  const x = scale(Math.min(...all), Math.max(...all, 0.01) * 1.05, left + 6, right);
  drawAxis(
      page.svg, "bottom", x, evenTicks(x.low, x.high, Math.max(2, Math.floor((right - left) / 60))),
      value => said(value, 2), [top, bottom], `${what} a query`);
  draw(page.svg, "text", {x: page.width - 2, y: top - 6, class: "quiet", "text-anchor": "end"}, "a query");
  rows.forEach((row, i) => {
    const y = top + (i + 0.5) * ROW, value = found[i], widest = Math.max(value.counted ?? 0, value.simulated ?? 0);
    if (hasMisses(value)) {
      draw(page.svg, "line", {x1: x(0), x2: x(widest), y1: y, y2: y, stroke: row.colour, "stroke-width": 2});
    }
    if (value.counted !== null) drawShape(page.svg, "circle", x(value.counted), y, 4, row.colour);
    if (value.simulated !== null) drawShape(page.svg, "circle", x(value.simulated), y, 4, row.colour, true);
    draw(page.svg, "text", {x: page.width - 2, y: y + 4, "text-anchor": "end"}, missesText(shown(value)));
  });
  rows.forEach(row => row.hit());
}
