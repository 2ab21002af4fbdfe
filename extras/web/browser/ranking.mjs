// SPDX-License-Identifier: MIT
//
// The ranking of one cell, as a drawing and as a table. Colours, shapes and words are those of the pages of runs.

const rowHeight = 21, axisHeight = 40, figureWidth = 62, letterWidth = 6.7;
const roundRatios = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20];
/** What lies beyond is drawn at the edge. */
const mostRatio = 25;

function add(parent, name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return parent.appendChild(made);
}

/** Those of the round ratios that lie inside, `gap` pixels apart at least; 1 is among them. */
function ticksOf(x, [low, high], gap) {
  const kept = [1];
  for (const tick of roundRatios)
    if (tick >= low && tick <= high && kept.every((other) => Math.abs(x(tick) - x(other)) >= gap)) kept.push(tick);
  return kept;
}

/** From the least to the greatest of what is drawn: intervals, the machines' ratios, the empty loop. */
function domainOf(rows, machines) {
  const own = rows.flatMap((row) => row.verdict ? [row.ratio_low, row.ratio, row.ratio_high] : [row.ratio]);
  const others = rows.flatMap((row) => strokesOf(row, machines).map(({ ratio }) => ratio));
  const inside = [...own, ...others].filter((ratio) => ratio > 1 / mostRatio && ratio < mostRatio);
  return [0.98 * Math.min(...inside), 1.02 * Math.max(...inside)];
}

/** What the machines have of a row's method. */
function strokesOf({ contender }, machines) {
  const having = machines.filter(({ ratios }) => ratios.has(contender));
  return having.map(({ name, ratios }) => ({ name, ratio: ratios.get(contender)[0] }));
}

/**
 * Draws rows of judgeCell as points with their intervals over a logarithmic axis, quickest first; the committed machines'
 * ratios as upright strokes, the empty loop as a dashed line. machines: list of {name, ratios: Map contender -> [ratio, ...]}.
 */
export function drawRanking(container, title, rows, machines) {
  const methods = rows.filter((row) => row.verdict), empty = rows.find((row) => !row.verdict);
  const width = Math.max(280, container.clientWidth), bottom = methods.length * rowHeight;
  const said = methods.map((row) => `${row.contender} ${changeText(row.ratio)}`).join(", ");
  container.replaceChildren();
  const svg = add(container, "svg", {
    viewBox: `0 0 ${width} ${bottom + axisHeight}`, role: "img", "aria-label": `${title}: ${said}`,
    "font-family": "system-ui, 'DejaVu Sans', sans-serif", "font-size": 12, fill: INK,
  });
  const left = Math.max(...methods.map((row) => row.contender.length)) * letterWidth + 12, right = width - figureWidth;
  const domain = domainOf(rows, machines), [from, to] = domain.map(Math.log);
  const x = (ratio) => left + (right - left) * Math.min(1, Math.max(0, (Math.log(ratio) - from) / (to - from)));
  for (const tick of ticksOf(x, domain, 34)) {
    add(svg, "line", { x1: x(tick), x2: x(tick), y1: 0, y2: bottom, stroke: tick === 1 ? INK : GRID });
    add(svg, "text", { x: x(tick), y: bottom + 15, "text-anchor": "middle", fill: MUTED }, String(tick));
  }
  add(svg, "text", { x: right, y: bottom + 33, "text-anchor": "end", fill: MUTED }, "time over the reference's");
  const dashed = { y1: 0, y2: bottom, stroke: MUTED, "stroke-dasharray": "5 4" };
  if (empty) add(svg, "line", { x1: x(empty.ratio), x2: x(empty.ratio), ...dashed });
  for (const [i, row] of methods.entries()) {
    const group = add(svg, "g", { transform: `translate(0 ${(i + 0.5) * rowHeight})` });
    drawRow(group, row, strokesOf(row, machines), x, width);
  }
}

function drawRow(group, row, strokes, x, width) {
  const isOpen = isUndecided(row), isReference = row.verdict === "reference", at = x(row.ratio);
  const colour = isOpen ? MUTED : data.colours[row.contender] ?? INK;
  const figure = isReference ? "0" : changeText(row.ratio) + (isOpen ? " ?" : "");
  add(group, "text", { x: 2, y: 4, "font-weight": isReference ? 700 : 400 }, row.contender);
  add(group, "text", { x: width - 2, y: 4, "text-anchor": "end", fill: isOpen ? MUTED : INK }, figure);
  for (const { name, ratio } of strokes) {
    const stroke = add(group, "line", { x1: x(ratio), x2: x(ratio), y1: -7, y2: 7, stroke: MUTED, "stroke-width": 2 });
    add(stroke, "title", {}, `${name}: ${changeText(ratio)}`);
  }
  if (!isReference)
    add(group, "line", { x1: x(row.ratio_low), x2: x(row.ratio_high), stroke: colour, "stroke-width": 2.5 });
  const point = add(group, "path", { d: SHAPES[row.verdict], transform: `translate(${at} 0) scale(4.6)`,
                                     fill: isOpen ? PAPER : colour, stroke: colour, "stroke-width": 0.3 });
  add(point, "title", {}, `${row.contender}: ${verdictText(row)} ${changeWithInterval(row)}`);
}

/** Fills a table: a row per method, columns for this browser where it was measured, and one for each machine. */
export function fillTable(table, rows, machines) {
  const here = new Map(rows.map((row) => [row.contender, row])), isMeasured = rows.length > 0;
  const names = new Set([...here.keys(), ...machines.flatMap(({ ratios }) => [...ratios.keys()])]);
  const heads = ["method", ...(isMeasured ? ["this browser", "ns a query"] : []), ...machines.map(({ name }) => name)];
  table.tHead.replaceChildren(line(heads.map(headCell)));
  table.tBodies[0].replaceChildren(...[...names].map((name) => {
    const row = here.get(name), own = isMeasured ? [ratioCell(row), numberCell(row?.ns.toFixed(2), row?.ns)] : [];
    const elsewhere = machines.map(({ ratios }) => ratioCell(rowOf(ratios.get(name))));
    return line([element("td", { className: "id", textContent: name }), ...own, ...elsewhere]);
  }));
}

const element = (name, properties) => Object.assign(document.createElement(name), properties);

function line(cells) {
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
}

function headCell(text, i) {
  const made = element("th", { scope: "col", className: i > 0 ? "n" : "" });
  made.append(element("button", { textContent: text }));
  return made;
}

function numberCell(text = "", value = "") {
  const made = element("td", { className: "n", textContent: text });
  made.dataset.v = value;
  return made;
}

const rowOf = (ratio) => ratio && { ratio: ratio[0], ratio_low: ratio[1], ratio_high: ratio[2], verdict: ratio[3] };
const ratioNumber = (ratio) => ratio.toFixed(ratio < 10 ? 3 : 2);

function ratioCell(row) {
  if (!row) return numberCell();
  const ends = intervalText(row.ratio_low, row.ratio_high, ratioNumber);
  return numberCell(`${ratioNumber(row.ratio)}${ends} ${data.signs[row.verdict] ?? ""}`, row.ratio);
}
