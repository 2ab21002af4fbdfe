// SPDX-License-Identifier: MIT
//
// The ranking of one cell, as a drawing and as a table. Colours, shapes and words are those of the pages of runs.

const rowHeight = 21, axisHeight = 40, figureWidth = 62, letterWidth = 6.7;
const roundRatios = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20];
/** What lies beyond is drawn at the edge. */
const mostRatio = 25;

const drawn = (parent, name, attributes, text = "") => parent.appendChild(makeSvg(name, attributes, text));

/** Those of the round ratios that lie inside, `gap` pixels apart at least; 1 is among them. */
function ticksOf(x, [low, high], gap) {
  const kept = [1];
  for (const tick of roundRatios)
    if (tick >= low && tick <= high && kept.every((other) => Math.abs(x(tick) - x(other)) >= gap)) kept.push(tick);
  return kept;
}

/** From the least to the greatest of what is drawn: intervals, and the empty loop. */
function domainOf(rows) {
  const own = rows.flatMap((row) => row.verdict ? [row.ratio_low, row.ratio, row.ratio_high] : [row.ratio]);
  const inside = own.filter((ratio) => ratio > 1 / mostRatio && ratio < mostRatio);
  return [0.98 * Math.min(...inside), 1.02 * Math.max(...inside)];
}

/** Draws rows of `judge` as points with their intervals over a logarithmic axis, fastest first, the empty loop as a dashed line. */
export function drawRanking(container, title, rows) {
  const methods = rows.filter((row) => row.verdict), empty = rows.find((row) => !row.verdict);
  const width = Math.max(280, container.clientWidth), bottom = methods.length * rowHeight;
  const said = methods.map((row) => `${row.contender} ${changeText(row.ratio)}`).join(", ");
  container.replaceChildren();
  const svg = drawn(container, "svg", {
    viewBox: `0 0 ${width} ${bottom + axisHeight}`, role: "img", "aria-label": `${title}: ${said}`,
    "font-family": "system-ui, 'DejaVu Sans', sans-serif", "font-size": 12, fill: INK,
  });
  const left = Math.max(...methods.map((row) => row.contender.length)) * letterWidth + 12, right = width - figureWidth;
  const domain = domainOf(rows), [from, to] = domain.map(Math.log);
  const x = (ratio) => left + (right - left) * Math.min(1, Math.max(0, (Math.log(ratio) - from) / (to - from)));
  for (const tick of ticksOf(x, domain, 34)) {
    drawn(svg, "line", { x1: x(tick), x2: x(tick), y1: 0, y2: bottom, stroke: tick === 1 ? INK : GRID });
    drawn(svg, "text", { x: x(tick), y: bottom + 15, "text-anchor": "middle", fill: MUTED }, String(tick));
  }
  drawn(svg, "text", { x: right, y: bottom + 33, "text-anchor": "end", fill: MUTED }, "time over the reference's");
  const dashed = { y1: 0, y2: bottom, stroke: MUTED, "stroke-dasharray": "5 4" };
  if (empty) drawn(svg, "line", { x1: x(empty.ratio), x2: x(empty.ratio), ...dashed });
  for (const [i, row] of methods.entries()) {
    const group = drawn(svg, "g", { transform: `translate(0 ${(i + 0.5) * rowHeight})` });
    drawRankingRow(group, row, x, width);
  }
}

function drawRankingRow(group, row, x, width) {
  const isOpen = isUndecided(row), isReference = row.verdict === "reference", at = x(row.ratio);
  const colour = isOpen ? MUTED : data.colours[row.contender] ?? INK;
  const figure = isReference ? "0" : changeText(row.ratio) + (isOpen ? " ?" : "");
  drawn(group, "text", { x: 2, y: 4, "font-weight": isReference ? 700 : 400 }, row.contender);
  drawn(group, "text", { x: width - 2, y: 4, "text-anchor": "end", fill: isOpen ? MUTED : INK }, figure);
  if (!isReference)
    drawn(group, "line", { x1: x(row.ratio_low), x2: x(row.ratio_high), stroke: colour, "stroke-width": 2.5 });
  const point = drawn(group, "path", { d: SHAPES[row.verdict], transform: `translate(${at} 0) scale(4.6)`,
                                     fill: isOpen ? PAPER : colour, stroke: colour, "stroke-width": 0.3 });
  drawn(point, "title", {}, `${row.contender}: ${verdictText(row)} ${changeWithInterval(row)}`);
}

/**
 * Fills a table: a row per method, columns for this browser where it was measured, and one for each machine. collection: list of
 * {name, ratios: Map contender -> [ratio, low, high, verdict]}.
 */
export function fillTable(table, rows, collection) {
  const machines = collection.filter(({ ratios }) => ratios.size > 0);
  const here = new Map(rows.map((row) => [row.contender, row])), isMeasured = rows.length > 0;
  const names = new Set([...here.keys(), ...machines.flatMap(({ ratios }) => [...ratios.keys()])]);
  const heads = ["method", ...(isMeasured ? ["this browser", "ns a query"] : []), ...machines.map(({ name }) => name)];
  table.tHead.replaceChildren(lineOf(heads.map(headCell)));
  table.tBodies[0].replaceChildren(...[...names].map((name) => {
    const row = here.get(name), own = isMeasured ? [ratioCell(row), numberCell(row?.time.toFixed(2), row?.time)] : [];
    const elsewhere = machines.map(({ ratios }) => ratioCell(rowOf(ratios.get(name))));
    return lineOf([make("td", { className: "id" }, name === "empty" ? name : make("a", { href: `methods/${name}.html` }, name)), ...own, ...elsewhere]);
  }));
}

const lineOf = (cells) => make("tr", {}, ...cells);
const headCell = (text, i) => make("th", { scope: "col", className: i > 0 ? "n" : "" }, make("button", { type: "button" }, text));
const numberCell = (text = "", value = "") => make("td", { className: "n", data: { v: value } }, text);

const rowOf = (ratio) => ratio && { ratio: ratio[0], ratio_low: ratio[1], ratio_high: ratio[2], verdict: ratio[3] };
const ratioNumber = (ratio) => ratio.toFixed(ratio < 10 ? 3 : 2);

function ratioCell(row) {
  if (!row) return numberCell();
  const ends = intervalText(row.ratio_low, row.ratio_high, ratioNumber);
  return numberCell(`${ratioNumber(row.ratio)}${ends} ${data.signs[row.verdict] ?? ""}`, row.ratio);
}
