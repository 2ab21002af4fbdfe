// SPDX-License-Identifier: MIT
// Cost against pressure, a line per method, with the places where two cost the same and what networks touch.
"use strict";

/** The sweep of the chosen cell, else one that differs from it in the pressure alone, else the first. */
function sweepOfState() {
  const isNear = sweep => isAlike(data.cells[sweep.cells[0]], view.cell);
  return data.sweeps.find(sweep => sweep.cells.includes(data.cells.indexOf(view.cell))) ??
      data.sweeps.find(isNear) ?? data.sweeps[0];
}

/** Whether a line has its name: of a method in sight, or one that leads somewhere. */
const isNamed = contender => view.sight.has(contender) || data.leaders.includes(contender);

function drawCrossover() {
  const container = byId("crossover-plot");
  const sweep = sweepOfState(), cells = sweep.cells.map(place => data.cells[place]);
  const crossings = sweep.crossings.filter(([a, b]) => isNamed(a) && isNamed(b));
  byId("crossover-name").textContent = sweep.name;
  d3.select("#crossings").selectAll("li").data(crossings).join("li").text(crossingText);
  const lines = data.contenders
      .map(contender => ({contender, isMarked: isNamed(contender.contender),
                          rows: cells.map(cell => rowIn(cell, contender.contender))}))
      .filter(({rows}) => rows.every(row => row?.ratio))
      .sort((a, b) => a.isMarked - b.isMarked);
  if (!lines.length) return container.replaceChildren("No method was compared in every cell of the sweep.");
  const marked = lines.filter(line => line.isMarked), seen = marked.length ? marked : lines;
  const words = crossings.map(crossingText).join("; ") || sweep.name;
  const {svg, width} = sheet(container, 490, `Cost against lines touched: ${words}`), isNarrow = width < 560;
  const left = 46, right = width - (isNarrow ? 112 : 180), top = 66, bottom = 446;
  const x = d3.scaleSymlog([0, d3.max(sweep.lines)], [left + 6, right]).constant(1);
  const ratios = seen.flatMap(line => line.rows.map(row => row.ratio));
  const y = d3.scaleLog([d3.min(ratios) / 1.06, d3.max(ratios) * 1.06], [bottom, top]).clamp(true);
  drawAxis(svg, "left", y, ratioTicks(y, 24), times, [left, right], "time / reference (log)");
  drawAxis(svg, "bottom", x, thin(sweep.lines, x, 32), String, [top, bottom],
           isNarrow ? "lines touched" : `cache lines touched at each event (${sweep.what})`);
  data.networks.filter(network => network.lines <= x.domain()[1]).forEach(({name, lines: touched}, i) => {
    upright(svg, x(touched), top - 6, bottom, MUTED, "2 3");
    write(svg, x(touched), top - 24 - 14 * i, name, {class: "network", fill: MUTED, "text-anchor": "end"});
  });
  add(svg, "line", {x1: left, x2: right, y1: y(1), y2: y(1), stroke: INK});
  for (const line of lines) drawMethod(svg, line, sweep, x, y);
  drawNames(svg, marked, y, right, isNarrow ? 14 : 24);
  for (const crossing of crossings) drawCrossing(svg, crossing, lines, sweep, x, y);
}

/** A method's line, grey where it is not marked; as wide as its interval where it is. */
function drawMethod(svg, {contender, isMarked, rows}, sweep, x, y) {
  const colour = isMarked ? contender.colour : BAND;
  const path = d3.line().x((_, i) => x(sweep.lines[i])).y(row => y(row.ratio));
  const band = d3.area().x((_, i) => x(sweep.lines[i])).y0(row => y(row.ratio_low)).y1(row => y(row.ratio_high));
  const group = add(svg, "g", {});
  if (isMarked && rows.every(row => row.ratio_low !== null))
    add(group, "path", {d: band(rows), fill: colour, "fill-opacity": 0.22});
  add(group, "path", {d: path(rows), fill: "none", stroke: colour, "stroke-width": isMarked ? 2 : 1});
  if (isMarked) rows.forEach((row, i) => drawPoint(group, row, x(sweep.lines[i]), y(row.ratio), 3.2));
  const words = rows.map((row, i) => `${sweep.lines[i]} lines: ${said(row.ratio)}`).join("\n");
  add(group, "title", {}).text(`${contender.title} (${contender.label})\n${words}`);
}

/** The names of lines at their ends, each below the last with a place of its own. */
function drawNames(svg, lines, y, right, most) {
  const names = lines.map(({contender, rows}) => ({contender, end: y(rows[rows.length - 1].ratio)}))
      .sort((a, b) => a.end - b.end);
  let last = 0;
  for (const name of names) last = name.place = Math.max(name.end, last + 15);
  const excess = Math.max(0, last - 480);
  for (const {contender, end, place} of names) {
    add(svg, "line", {x1: right + 5, y1: end, x2: right + 14, y2: place - excess, stroke: contender.colour});
    write(svg, right + 17, place - excess + 4, cut(contender.label, most), {fill: contender.text});
  }
}

/** Where two methods cost the same: a diamond, with a bar as wide as the interval where that is known. */
function drawCrossing(svg, crossing, lines, sweep, x, y) {
  const [a, , at, low, high] = crossing, line = lines.find(({contender}) => contender.contender === a);
  if (!line) return;
  const level = d3.scaleLinear(sweep.lines.map(x), line.rows.map(row => y(row.ratio)))(x(at));
  if (low !== null && high !== null)
    add(svg, "line", {x1: x(low), x2: x(high), y1: level, y2: level, stroke: INK, "stroke-width": 1.5});
  add(svg, "path", {d: DIAMOND, transform: `translate(${x(at)} ${level}) scale(5)`, class: "crossing"})
      .append("title").text(crossingText(crossing));
}

function crossingText([a, b, at, low, high]) {
  const ends = `${low === null ? "below the sweep" : said(low)} to ${high === null ? "beyond the sweep" : said(high)}`;
  return `${a} is cheaper up to ${said(at)} lines, ${b} beyond (95 % interval ${ends})`;
}
