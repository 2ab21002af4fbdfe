// SPDX-License-Identifier: MIT
// Lines: cost against pressure with its crossings, and miss-ratio curves.
"use strict";

/** Draws lines, the marked ones in colour with their names at the right end. points: [[x, y], ...] in pixels. */
function drawLines(page, lines, right, top, bottom) {
  const ends = [];
  for (const line of lines.sort((a, b) => a.marked - b.marked)) {
    const path = "M" + line.points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const style = {
      d: path,
      fill: "none",
      stroke: line.marked ? line.arm.colour : "var(--band)",
      "stroke-width": line.marked ? 2 : 1
    };
    draw(page.svg, "path", style);
    if (line.marked) {
      for (const [x, y] of line.points.filter((_, i) => i % line.every === 0)) {
        drawShape(page.svg, FAMILY_SHAPES[line.arm.family], x, y, 3.2, line.arm.colour);
      }
      ends.push({y: line.points.at(-1)[1], x: line.points.at(-1)[0], arm: line.arm});
    }
    explain(
        draw(
            page.svg, "path",
            {d: path, fill: "none", stroke: "transparent", "stroke-width": 9, "data-arm": line.arm.place}),
        line.words);
  }
  spread(ends, 14, top + 4, bottom);
  for (const end of ends) {
    draw(
        page.svg, "line",
        {x1: end.x + 5, y1: end.y, x2: right + 14, y2: end.at, stroke: end.arm.colour, "stroke-width": 0.8});
    draw(page.svg, "text", {x: right + 17, y: end.at + 4}, cut(end.arm.label, page.narrow ? 14 : 24));
  }
}

const labelRoom = page => page.narrow ? 112 : 180;

function sweepOfState() {
  if (state.sweep !== null) return data.sweeps[state.sweep];
  const fits = sweep => COORDINATES.every(name => data.cells[sweep.cells.at(-1)][name] === state.cell[name]);
  return data.sweeps.find(fits) ?? data.sweeps[0];
}

function drawCrossover() {
  const container = byId("crossover-plot");
  if (!container) return;
  const sweep = sweepOfState(), cells = sweep.cells.map(place => data.cells[place]);
  byId("choose-sweep").value = String(data.sweeps.indexOf(sweep));
  const value = (row, cell) => state.crossing === "ratio" ? row?.ratio : row?.net;
  const lines =
      data.arms
          .map(
              (arm, place) =>
                  ({arm: {...arm, place}, rows: cells.map(cell => cell.unpacked.find(row => row.place === place))}))
          .filter(line => isShown(line.arm) && line.rows.every((row, i) => (value(row, cells[i]) ?? 0) > 0));
  if (!lines.length) return container.replaceChildren("No method is left by the filters.");
  const page = sheet(container, page_height(container), `Cost against lines touched: ${sweep.name}`);
  const left = 46, right = page.width - labelRoom(page), top = 26, bottom = page.height - 44;
  const x = scale(0, Math.max(...sweep.lines), left + 6, right, n => Math.log2(1 + n));
  const marked = lines.filter(line => state.marked.has(line.arm.place));
  const seen = (marked.length ? marked : lines).flatMap(line => line.rows.map((row, i) => value(row, cells[i])));
  const y = logScale(Math.min(...seen) / 1.06, Math.max(...seen) * 1.06, bottom, top);
  drawAxis(
      page.svg, "left", y, logTicks(y.low, y.high, 9), state.crossing === "ratio" ? times : v => said(v, 2),
      [left, right], state.crossing === "ratio" ? "time / reference (log)" : "net ns a query (log)");
  drawAxis(
      page.svg, "bottom", x, thin(sweep.lines, n => x(n), page.narrow ? 30 : 34), String, [top, bottom],
      page.narrow ? "lines touched" : `cache lines touched at each event (${sweep.what})`);
  if (state.crossing === "ratio") {
    draw(page.svg, "line", {x1: left, x2: right, y1: y(1), y2: y(1), stroke: "var(--ink)"});
    for (const line of marked) drawBand(page, line, sweep, x, y);
  }
  const inside = v => Math.min(Math.max(v, y.low), y.high);
  drawLines(
      page,
      lines.map(line => ({
                  arm: line.arm,
                  marked: state.marked.has(line.arm.place),
                  every: 1,
                  points: line.rows.map((row, i) => [x(sweep.lines[i]), y(inside(value(row, cells[i])))]),
                  words: `${line.arm.title} (${line.arm.label})\n` +
                      line.rows.map((row, i) => `${sweep.lines[i]} lines: ${said(value(row, cells[i]))}`).join("\n"),
                })),
      right, top, bottom);
  // Crossings are those of ratios; lines of net times meet elsewhere between two measured points.
  if (state.crossing === "ratio") drawCrossings(page, sweep, lines, x, y, row => row.ratio);
  listCrossings(sweep);
}

const page_height = container => container.clientWidth < 560 ? 380 : 470;

/** Leaves out ticks whose labels would touch. */
function thin(values, place, gap) {
  const kept = [];
  for (const value of values)
    if (!kept.length || place(value) - place(kept.at(-1)) >= gap) kept.push(value);
  return kept;
}

/** The band of a line's intervals. */
function drawBand(page, line, sweep, x, y) {
  if (line.rows.some(row => row.low === null)) return;
  const inside = v => y(Math.min(Math.max(v, y.low), y.high));
  const upper = line.rows.map((row, i) => `${x(sweep.lines[i])} ${inside(row.high)}`);
  const lower = line.rows.map((row, i) => `${x(sweep.lines[i])} ${inside(row.low)}`).reverse();
  draw(page.svg, "path", {d: `M${[...upper, ...lower].join("L")}Z`, fill: line.arm.colour, "fill-opacity": 0.22});
}

const isClear = ([, , , low, high]) => low !== null && high !== null;

/** Crossings of marked methods: a diamond with a bar as wide as the interval. */
function drawCrossings(page, sweep, lines, x, y, value) {
  for (const crossing of sweep.crossings) {
    const [a, b, at, low, high] = crossing;
    const line = lines.find(line => line.arm.place === a);
    if (!isClear(crossing) || !line || ![a, b].every(place => state.marked.has(place))) continue;
    const after = sweep.lines.findIndex(n => n > at), i = Math.max(1, after < 0 ? sweep.lines.length - 1 : after);
    const share = (x(at) - x(sweep.lines[i - 1])) / (x(sweep.lines[i]) - x(sweep.lines[i - 1]));
    const ends = [line.rows[i - 1], line.rows[i]].map(row => Math.log(value(row)));
    const level = y(Math.exp(ends[0] + share * (ends[1] - ends[0])));
    draw(page.svg, "line", {x1: x(low), x2: x(high), y1: level, y2: level, stroke: "var(--ink)", "stroke-width": 1.5});
    for (const end of [low, high]) {
      draw(
          page.svg, "line",
          {x1: x(end), x2: x(end), y1: level - 4, y2: level + 4, stroke: "var(--ink)", "stroke-width": 1.5});
    }
    explain(drawShape(page.svg, "diamond", x(at), level, 5, "var(--ink)"), crossingText(crossing));
  }
}

function crossingText([a, b, at, low, high]) {
  const ends = [low === null ? "below the sweep" : said(low), high === null ? "beyond the sweep" : said(high)];
  return `${data.arms[a].label} is cheaper up to ${said(at)} lines, ${data.arms[b].label} beyond (95 % interval ` +
      `${ends[0]} to ${ends[1]})`;
}

/** Crossings of marked methods in the open, all others behind a click. */
function listCrossings(sweep) {
  const isMarked = ([a, b]) => state.marked.has(a) && state.marked.has(b);
  const first = sweep.crossings.filter(crossing => isClear(crossing) && isMarked(crossing));
  const rest = sweep.crossings.filter(crossing => !first.includes(crossing));
  for (const [id, found] of [["crossings", first], ["crossings-rest", rest]]) {
    byId(id).replaceChildren();
    for (const crossing of found) make(byId(id), "li", {}, crossingText(crossing));
  }
  byId("crossings-head").textContent = `${rest.length} more crossings`;
}

function drawCurves() {
  const container = byId("curves-plot");
  if (!container) return;
  const entry = grid();
  if (entry === null) return container.replaceChildren("No curves of this granularity.");
  const load = loadOf(entry);
  byId("curves-note").textContent =
      `Simulated, not measured: trace ${entry.trace}, ${entry.loads[load]} other lines touched at each evaluation.`;
  const page = sheet(container, page_height(container), "Misses a query against cache size");
  const left = 46, right = page.width - labelRoom(page), top = 26, bottom = page.height - 44;
  const lines = data.arms.map((arm, place) => ({arm: {...arm, place}, curve: entry.methods[arm.method]?.[load]}))
                    .filter(line => line.curve && isShown(line.arm) && line.curve.some(value => value > 0));
  if (!lines.length) return container.replaceChildren("No method with tables is left by the filters.");
  const x = logScale(entry.sizes[0], entry.sizes.at(-1), left + 6, right);
  const y = scale(0, Math.max(...lines.flatMap(line => line.curve.map(value => value ?? 0))) * 1.04, bottom, top);
  drawAxis(page.svg, "left", y, evenTicks(0, y.high, 7), v => said(v, 2), [left, right], "misses a query");
  const powers = entry.sizes.filter(size => Number.isInteger(Math.log2(size)));
  drawAxis(page.svg, "bottom", x, thin(powers, size => x(size), 56), sizeText, [top, bottom], "cache size");
  const marks = entry.granularity === 64 ? data.caches : [];
  for (const level of marks.filter(level => level.bytes >= x.low && level.bytes <= x.high)) {
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
  drawLines(
      page,
      lines.map(
          line => ({
            arm: line.arm,
            marked: state.marked.has(line.arm.place),
            every: Math.ceil(entry.sizes.length / 14),
            points: line.curve.map((value, i) => [x(entry.sizes[i]), y(value ?? 0)]),
            words: `${line.arm.title} (${line.arm.label})\n` +
                marks.filter(level => level.bytes <= x.high)
                    .map(level => `${level.name}: ${said(line.curve[nearestSize(entry, level.bytes)])} misses a query`)
                    .join("\n"),
          })),
      right, top, bottom);
  if (entry.granularity === 64) {
    const at = x(entry.sizes[state.size]);
    draw(
        page.svg, "line",
        {x1: at, x2: at, y1: top, y2: bottom, stroke: "var(--link)", "stroke-width": 2, class: "cursor"});
  }
}
