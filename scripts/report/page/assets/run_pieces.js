// SPDX-License-Identifier: MIT
// What the figures are made of.
"use strict";

/** Adds an element to a drawing; values may be functions of what the parents are joined with. Returns its selection. */
function add(parent, name, attributes) {
  const made = parent.append(name);
  for (const [key, value] of Object.entries(attributes)) made.attr(key, value);
  return made;
}

/** Adds a text that can be read on top of lines. */
const write = (parent, x, y, text, attributes = {}) =>
    add(parent, "text", {x, y, stroke: PAPER, "stroke-width": 3, "paint-order": "stroke", ...attributes}).text(text);

const upright = (svg, x, y1, y2, stroke, dashes = null) =>
    add(svg, "line", {x1: x, x2: x, y1, y2, stroke, "stroke-dasharray": dashes});

/** Draws a row's point: its shape is the verdict, its colour the method. */
const drawPoint = (parent, row, x, y, size = 4.6) =>
    add(parent, "path", {d: SHAPES[row.verdict] ?? PLUS, transform: `translate(${x} ${y}) scale(${size})`,
                         fill: isUndecided(row) ? PAPER : row.colour, stroke: row.colour,
                         "stroke-width": 1.4 / size});

/** An empty drawing in a container, as wide as the container is; what was there goes. */
function sheet(container, height, label) {
  container.replaceChildren();
  const width = Math.max(280, container.clientWidth);
  const svg = add(d3.select(container), "svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label,
                                                "font-family": "system-ui, 'DejaVu Sans', sans-serif", "font-size": 12,
                                                fill: INK});
  return {svg, width};
}

/** Leaves out ticks whose labels would touch. */
function thin(ticks, scale, gap) {
  const kept = [];
  for (const tick of ticks)
    if (!kept.length || Math.abs(scale(tick) - scale(kept[kept.length - 1])) >= gap) kept.push(tick);
  return kept;
}

/** Round numbers for a logarithmic axis of ratios; labels are `gap` pixels apart at least. */
function ratioTicks(scale, gap) {
  const [low, high] = scale.domain(), digits = [1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];
  const round = d3.range(-2, 4).flatMap(power => digits.map(digit => digit * 10 ** power));
  const inside = round.filter(tick => tick >= low && tick <= high);
  return thin(high / low < 1.5 ? d3.ticks(low, high, 6) : inside, scale, gap);
}

/** Draws an axis with its grid, bottom or left. `across`: the other axis' ends in pixels. */
function drawAxis(svg, side, scale, ticks, show, [from, to], title) {
  const isFlat = side === "bottom", axis = (isFlat ? d3.axisBottom : d3.axisLeft)(scale), [start, end] = scale.range();
  const group = add(svg, "g", {transform: isFlat ? `translate(0 ${to})` : `translate(${from} 0)`});
  group.call(axis.tickValues(ticks).tickFormat(show).tickSize(from - to).tickPadding(6)).attr("font-size", 12);
  group.select(".domain").remove();
  group.selectAll("line").attr("stroke", GRID);
  group.selectAll("text").attr("fill", MUTED);
  write(svg, isFlat ? end : 2, isFlat ? to + 32 : Math.min(start, end) - 8, title,
        {fill: MUTED, "text-anchor": isFlat ? "end" : "start"});
}

const times = value => `${Number(value.toPrecision(4))}\u00d7`;
const cut = (text, most) => text.length <= most ? text : text.slice(0, most - 1).trimEnd() + "\u2026";

/** What a point says under the pointer. */
function describe(row, cell) {
  const ns = said(row.ns_per_query) + intervalText(row.ns_low, row.ns_high);
  return `${row.title} (${row.label})\n${verdictText(row)}: ${changeWithInterval(row)}\n${ns} ns per ${cell.unit}\n` +
      `tables ${sizeText(row.bytes)}`;
}
