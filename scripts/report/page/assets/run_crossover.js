// SPDX-License-Identifier: MIT
// Cost against pressure, a line a method, with the places where two cost the same and what networks touch.
"use strict";

function sweepOfState() {
  if (state.sweep !== null) return data.sweeps[state.sweep];
  const fits = sweep => COORDINATES.every(name => data.cells[sweep.cells[sweep.cells.length - 1]][name] === state.cell[name]);
  return data.sweeps.find(fits) ?? data.sweeps[0];
}

function drawCrossover() {
  const container = byId("crossover-plot");
  if (!container) return;
  const sweep = sweepOfState(), cells = sweep.cells.map(place => data.cells[place]), isRatio = state.cost === "ratio";
  byId("choose-sweep").value = String(data.sweeps.indexOf(sweep));
  byId("choose-cost").value = state.cost;
  const value = row => row?.[state.cost] ?? 0;
  const rowsOfArm = place => cells.map(cell => cell.unpacked.find(row => row.place === place));
  const lines = data.arms.map((arm, place) => ({arm, place, rows: rowsOfArm(place)}))
                    .filter(line => isShown(line.arm) && line.rows.every(row => value(row) > 0));
  listCrossings(sweep);
  if (!lines.length) return container.replaceChildren("No method is left by the filters.");
  const marked = lines.filter(line => state.marked.has(line.place));
  const {svg, width, height, narrow} = sheet(container, container.clientWidth < 560 ? 400 : 490,
                                             `Cost against lines touched: ${sweep.name}`);
  const left = 46, right = width - (narrow ? 112 : 180), top = narrow ? 62 : 46, bottom = height - 44;
  const log = d3.scaleLinear([0, Math.log2(1 + d3.max(sweep.lines))], [left + 6, right]);
  const x = Object.assign(n => log(Math.log2(1 + n)),
                          {range: log.range, copy: () => x, domain: () => [0, d3.max(sweep.lines)]});
  const seen = (marked.length ? marked : lines).flatMap(line => line.rows.map(value));
  const y = d3.scaleLog([d3.min(seen) / 1.06, d3.max(seen) * 1.06], [bottom, top]).clamp(true);
  drawAxis(svg, "left", y, logTicks(y, 9), isRatio ? times : v => said(v, 2), [left, right],
           isRatio ? "time / reference (log)" : "net ns a query (log)");
  drawAxis(svg, "bottom", x, thin(sweep.lines, x, 32), String, [top, bottom],
           narrow ? "lines touched" : `cache lines touched at each event (${sweep.what})`);
  drawNetworks(svg, x, top, bottom, narrow);
  if (isRatio) add(svg, "line", {x1: left, x2: right, y1: y(1), y2: y(1), stroke: "var(--ink)"});
  const path = d3.line().x((_, i) => x(sweep.lines[i])).y(row => y(value(row)));
  const band = d3.area().x((_, i) => x(sweep.lines[i])).y0(row => y(row.low)).y1(row => y(row.high));
  const ends = [];
  for (const line of [...lines].sort((a, b) => state.marked.has(a.place) - state.marked.has(b.place))) {
    const isMarked = state.marked.has(line.place), colour = isMarked ? line.arm.colour : "var(--band)", {rows} = line;
    if (isMarked && isRatio && rows.every(row => row.low !== null))
      add(svg, "path", {d: band(rows), fill: colour, "fill-opacity": 0.22});
    add(svg, "path", {d: path(rows), fill: "none", stroke: colour, "stroke-width": isMarked ? 2 : 1});
    if (isMarked) {
      const shape = FAMILY_SHAPES[line.arm.family];
      rows.forEach((row, i) => drawShape(svg, shape, x(sweep.lines[i]), y(value(row)), 3.2, colour));
      ends.push({y: y(value(rows[rows.length - 1])), line});
    }
    const words = rows.map((row, i) => `${sweep.lines[i]} lines: ${said(value(row))}`).join("\n");
    const hit = {d: path(rows), fill: "none", stroke: "transparent", "stroke-width": 9, "data-arm": line.place};
    explain(add(svg, "path", hit), `${line.arm.title} (${line.arm.label})\n${words}`);
  }
  spread(ends, 15, top + 4, bottom);
  for (const {y, at, line: {arm}} of ends) {
    add(svg, "line", {x1: right + 5, y1: y, x2: right + 14, y2: at, stroke: arm.colour});
    add(svg, "text", {x: right + 17, y: at + 4, class: "name"}, cut(arm.label, narrow ? 14 : 24)).style("fill", arm.text);
  }
  // Crossings are those of ratios; lines of net times meet elsewhere between two measured points.
  if (isRatio) drawCrossings(svg, sweep, lines, x, y);
}

/** Upright lines at what the engine here touches between two evaluations. */
function drawNetworks(svg, x, top, bottom, narrow) {
  data.networks.filter(network => network.lines <= x.domain()[1]).forEach((network, i) => {
    upright(svg, x(network.lines), top - 6, bottom, "var(--muted)", "2 3");
    add(svg, "text", {x: x(network.lines), y: top - (narrow ? 24 : 10) - 14 * (i % 2), class: "quiet network",
                      "text-anchor": narrow ? "end" : "middle"}, network.name);
  });
}

const isClear = ([, , , low, high]) => low !== null && high !== null;

/** Crossings of marked methods: a diamond with a bar as wide as the interval. */
function drawCrossings(svg, sweep, lines, x, y) {
  for (const crossing of sweep.crossings) {
    const [a, b, at, low, high] = crossing, line = lines.find(line => line.place === a);
    if (!isClear(crossing) || !line || ![a, b].every(place => state.marked.has(place))) continue;
    const level = y(Math.exp(d3.scaleLinear(sweep.lines.map(x), line.rows.map(row => Math.log(row.ratio)))(x(at))));
    const end = place => `M${x(place)} ${level - 4}V${level + 4}`;
    add(svg, "path", {d: `${end(low)}M${x(low)} ${level}H${x(high)}${end(high)}`, stroke: "var(--ink)", "stroke-width": 1.5});
    explain(drawShape(svg, "diamond", x(at), level, 5, "var(--ink)"), crossingText(crossing));
  }
}

function crossingText([a, b, at, low, high]) {
  const ends = [low === null ? "below the sweep" : said(low), high === null ? "beyond the sweep" : said(high)].join(" to ");
  return `${data.arms[a].label} is cheaper up to ${said(at)} lines, ${data.arms[b].label} beyond (95 % interval ${ends})`;
}

/** Crossings of marked methods in the open, all others behind a click. */
function listCrossings(sweep) {
  const isFirst = crossing => isClear(crossing) && crossing.slice(0, 2).every(place => state.marked.has(place));
  const rest = sweep.crossings.filter(crossing => !isFirst(crossing));
  for (const [id, found] of [["crossings", sweep.crossings.filter(isFirst)], ["crossings-rest", rest]]) {
    byId(id).replaceChildren();
    for (const crossing of found) make(byId(id), "li", {}, crossingText(crossing));
  }
  byId("crossings-head").textContent = `${rest.length} more crossings`;
}
