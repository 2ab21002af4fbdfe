// SPDX-License-Identifier: MIT
// A panel a situation, each with its own scale; and what the reader uses against the best of every situation.
"use strict";

const ROW = 19;

function drawPanels() {
  const order = inSight();
  const panels = d3.select("#panels").selectAll("figure").data(view.situations).join(enter => {
    const figure = enter.append("figure");
    figure.append("div").attr("class", "plot");
    figure.append("figcaption").append(() => saveButtons("")).attr("class", "save");
    return figure;
  });
  panels.each(function(situation) { drawSituation(this, situation, data.cells[situation.cell], order); });
}

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
  const rows = order.map(contender => ({...contenders[contender], ...UNJUDGED, ...rowIn(cell, contender)}));
  const measured = rows.filter(row => row.ratio !== null), margin = Math.min(cell.margin ?? 0, 0.5);
  const {bound, title, what, change, rest} = situation, said = [what, change, rest].filter(Boolean).join(", ");
  nameFigure(figure, `situation-${situation.id || cell.name}`, title);
  const {svg, width} = sheet(figure.querySelector(".plot"), rows.length * ROW + 78,
                             `${title}: ${said || "ratios of the methods"}`);
  const left = d3.max(rows, row => Math.min(row.label.length, 24)) * 6.6 + 14, right = width - 66, top = 40;
  const bottom = top + rows.length * ROW, x = d3.scaleLinear(panelEnds(measured, margin, bound), [left + 4, right - 4]);
  write(svg, 2, 14, cut(title, Math.floor(width / 8.6)), {"font-weight": 700});
  drawAxis(svg, "bottom", x, thin(x.ticks(6), x, 44), changeNumber, [top, bottom], "% of time");
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
  write(group, 2, 4, cut(row.label, 24), {"font-weight": isReference || view.marked.has(row.contender) ? 700 : null});
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

/** The best of a situation beside the reference: as the answer says, else the method with the least ratio. */
function bestOf({method, ratio: [ratio, low, high], shown, cell}) {
  const {rows} = data.cells[cell];
  const named = method && ratio !== null ? rowIn(data.cells[cell], contenderOf(method)) : null;
  if (named) return {...named, ratio, ratio_low: low, ratio_high: high, isOpen: !(shown ?? !isUndecided(named))};
  const least = d3.least(rows.filter(row => row.ratio !== null), row => row.ratio);
  return least && {...least, isOpen: isUndecided(least)};
}

/** Ticks of an axis of per cent that is stretched about 0. */
const STRETCHED = [-80, -50, -20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20];

function drawMine() {
  const told = data.answer?.situations ?? view.situations.map(situation => ({...situation, ratio: [null, null, null]}));
  const lines = told.filter(({cell}) => cell !== null)
      .map(situation => ({title: situation.title, best: bestOf(situation)}))
      .filter(({best}) => best);
  const container = byId("mine-plot"), isSmall = isNarrow(), step = isSmall ? 42 : 26, top = 24;
  if (!lines.length) return container.replaceChildren("No method was compared with the reference.");
  const bottom = top + lines.length * step, percent = ratio => 100 * (ratio - 1);
  const words = lines.map(({title, best}) => `${title}: ${bestText(best)}`).join("; ");
  const {svg, width} = sheet(container, bottom + 40, `${data.reference} against the best: ${words}`);
  const left = isSmall ? 4 : 8 + 7 * d3.max(lines, ({title}) => Math.min(44, title.length));
  const right = width - (isSmall ? 20 : 290), hasEnd = end => (end ?? null) !== null;
  const ends = lines.flatMap(({best}) => [best.ratio_low, best.ratio_high, best.ratio]).filter(hasEnd);
  const [least, most] = d3.extent(ends, percent);
  const domain = [Math.min(-1, 1.1 * least), Math.max(1, Math.min(most, 20))];
  const x = d3.scaleSymlog(domain, [left + 6, right]).constant(2).clamp(true);
  const ticks = STRETCHED.filter(tick => tick >= domain[0] && tick <= domain[1]);
  drawAxis(svg, "bottom", x, thin(ticks, x, 34), value => minus(`${value} %`), [top, bottom],
           `time against ${data.reference}`);
  upright(svg, x(0), top, bottom, INK);
  lines.forEach(({title, best}, i) => {
    const y = top + (i + (isSmall ? 0.7 : 0.5)) * step, fill = best.isOpen ? MUTED : INK;
    drawBest(svg, best, ratio => x(percent(ratio ?? best.ratio)), y);
    if (isSmall) return write(svg, 4, y - 13, cut(`${title}: ${bestText(best)}`, Math.floor(width / 7.8)), {fill});
    write(svg, left - 4, y + 4, cut(title, 44), {"text-anchor": "end"});
    write(svg, right + 12, y + 4, bestText(best), {fill});
  });
}

/** A point with its interval; hollow and grey where nothing is decided. */
function drawBest(svg, best, x, y) {
  const colour = best.isOpen ? MUTED : best.colour, verdict = best.isOpen ? "inconclusive" : best.verdict;
  add(svg, "line", {x1: x(best.ratio_low), x2: x(best.ratio_high), y1: y, y2: y, stroke: colour, "stroke-width": 3});
  drawPoint(svg, {...best, colour, verdict}, x(best.ratio), y);
}

const bestText = best => best.verdict === "reference" ? "nothing is quicker" :
    `${best.label} ${changeWithInterval(best)}${best.isOpen ? " ?" : ""}`;
