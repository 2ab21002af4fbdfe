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

/** Draws the axis below a panel, with its grid from `top` on. */
function drawAxis(svg, scale, ticks, show, top, bottom, title) {
  const group = add(svg, "g", {transform: `translate(0 ${bottom})`});
  const axis = d3.axisBottom(scale).tickValues(ticks).tickFormat(show).tickSize(top - bottom).tickPadding(6);
  group.call(axis).attr("font-size", 12);
  group.select(".domain").remove();
  group.selectAll("line").attr("stroke", GRID);
  group.selectAll("text").attr("fill", MUTED);
  write(svg, scale.range()[1], bottom + 32, title, {fill: MUTED, "text-anchor": "end"});
}

/** A text in lines of so many characters at most, broken between words where that is possible. */
function lines(text, most) {
  const found = [""];
  for (const word of text.match(new RegExp(`\\S{1,${most}}`, "g")) ?? []) {
    if (found.at(-1) && `${found.at(-1)} ${word}`.length > most) found.push("");
    found.push(`${found.pop()} ${word}`.trim());
  }
  return found;
}

const cut = (text, most) => text.length <= most ? text : text.slice(0, most - 1).trimEnd() + "\u2026";

/** What a point says under the pointer. */
function describe(row, cell) {
  const ns = said(row.ns_per_query) + intervalText(row.ns_low, row.ns_high);
  return `${row.title} (${row.label})\n${verdictText(row)}: ${changeWithInterval(row)}\n${ns} ns per ${cell.unit}\n` +
      `tables ${sizeText(row.bytes)}`;
}
