// SPDX-License-Identifier: MIT
// The situation that decides as one panel, and the others in a fold; each has a scale of its own.
"use strict";

const ROW = 19, LONGEST = 28;  // pixels of a row, characters of a name

/** Draws situations into a container, a panel each. */
function drawPanels(container, situations) {
  const order = inSight();
  const panels = d3.select(container).selectAll("figure").data(situations).join(enter => {
    const figure = enter.append("figure");
    figure.append("div").attr("class", "plot");
    figure.append("figcaption").append(() => saveButtons("")).attr("class", "save");
    return figure;
  });
  panels.each(function(situation) { drawSituation(this, situation, data.cells[situation.cell], order); });
}

const drawFirst = () => drawPanels("#panel", [deciding()].filter(Boolean));
const drawOthers = () => drawPanels("#panels", view.situations.filter(situation => situation !== deciding()));

/** From where to where a panel goes: what is near to a decision, half of the methods where they are not far, and the
 *  bound where that is near. */
function panelEnds(rows, margin, bound) {
  const least = d3.min([1 - margin, ...rows.map(row => row.ratio_low ?? row.ratio)]);
  const span = Math.max(1 - least, 2 * margin, 0.01), most = d3.max(rows, row => row.ratio_high ?? row.ratio) ?? 1;
  const half = Math.min(1.25, d3.median(rows, row => row.ratio) ?? 1);
  const low = bound !== null && bound > 1 - 1.5 * span ? Math.min(bound, least) : least;
  const high = Math.min(Math.max(most, 1 + 1.5 * margin), Math.max(1 + 2 * span, 1.03 * half));
  return [Math.max(0.01, low - 0.06 * span), high];
}

function drawSituation(figure, situation, cell, order) {
  const rows = order.map(contender => ({...contenders[contender], ...UNJUDGED, ...rowIn(cell, contender)}))
      .filter(row => row.ratio !== null);
  const margin = Math.min(cell.margin ?? 0, 0.5);
  const {title, what, change, rest} = situation, said = [what, change, rest].filter(Boolean).join(", ");
  // In the first view nothing stands that needs an explanation of its own.
  const bound = situation === deciding() ? null : situation.bound;
  nameFigure(figure, `situation-${situation.id || cell.name}`, title);
  const plot = figure.querySelector(".plot"), heads = lines(title, Math.floor(Math.max(280, plot.clientWidth) / 8.6));
  const top = 26 + 16 * heads.length;
  const {svg, width} = sheet(plot, rows.length * ROW + top + 38, `${title}: ${said || "ratios of the methods"}`);
  const left = (d3.max(rows, row => Math.min(row.label.length, LONGEST)) ?? 0) * 6.6 + 14, right = width - 66;
  const bottom = top + rows.length * ROW, x = d3.scaleLinear(panelEnds(rows, margin, bound), [left + 4, right - 4]);
  heads.forEach((head, i) => write(svg, 2, 14 + 16 * i, head, {"font-weight": 700}));
  drawAxis(svg, x, x.ticks(Math.min(6, (right - left) / 50)), changeNumber, top, bottom, `% of the time of ${data.reference}`);
  const from = Math.max(x(1 / (1 + margin)), left), to = Math.min(x(1 + margin), right);
  add(svg, "rect", {x: from, y: top, width: Math.max(0, to - from), height: bottom - top, fill: BAND});
  upright(svg, x(1), top, bottom, INK);
  drawBound(svg, x, bound, left, top, bottom);
  rows.forEach((row, i) => drawMeasured(svg, row, x, top + (i + 0.5) * ROW, right, width, cell));
}

/** What an answer that costs nothing would save: a dashed line, or its figure at the edge. */
function drawBound(svg, x, bound, left, top, bottom) {
  if (bound === null) return;
  const isInside = bound >= x.domain()[0], words = `asked twice ${changeText(bound)}`;
  if (isInside) upright(svg, x(bound), top, bottom, MUTED, "5 4");
  const place = isInside ? Math.max(x(bound), left + 50) : left;
  write(svg, place, top - 6, isInside ? words : `\u25c2 ${words}`,
        {fill: MUTED, "text-anchor": isInside ? "middle" : "start"});
}

/** A row of a panel: name, point with its interval, and figure; at the edge where it lies further out. */
function drawMeasured(svg, row, x, y, right, width, cell) {
  const isOpen = isUndecided(row), colour = isOpen ? MUTED : row.colour, isReference = row.verdict === "reference";
  const group = add(svg, "g", {class: "row", transform: `translate(0 ${y})`, "data-row": row.contender});
  add(group, "rect", {y: -ROW / 2, width, height: ROW, fill: "transparent"});
  write(group, 2, 4, cut(row.label, LONGEST), {"font-weight": isReference || view.marked.has(row.contender) ? 700 : null});
  const text = isReference ? "0" : changeText(row.ratio) + (isOpen ? " ?" : "");
  write(group, width - 2, 4, text, {"text-anchor": "end", fill: isOpen || row.ratio === null ? MUTED : INK});
  if (row.ratio === null) return;
  const [low, high] = x.domain(), at = value => x(Math.min(high, Math.max(low, value)));
  if (row.ratio > high)
    add(group, "path", {d: SHAPES.slower, transform: `translate(${right - 4} 0) scale(4.4)`, fill: colour});
  else {
    const ends = {x1: at(row.ratio_low ?? row.ratio), x2: at(row.ratio_high ?? row.ratio)};
    add(group, "line", {...ends, stroke: colour, "stroke-width": 2.5});
    drawPoint(group, {...row, colour}, at(row.ratio), 0);
  }
  add(group, "title", {}).text(describe(row, cell));
}
