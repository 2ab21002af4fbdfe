// SPDX-License-Identifier: MIT
// The page of a comparison: a matrix of verdicts, method by run, for a chosen cell.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);
const state = {
  cell: data.cells[data.start],
  words: "",
  changed: false,
  sort: null,
  down: false
};

/** The methods of a cell: what each run says of each, by run. */
function methodsOf(cell) {
  const found = new Map();
  cell.rows.forEach((rows, run) => {
    for (const [place, verdict, ratio, low, high] of rows) {
      if (!found.has(place)) found.set(place, {...data.arms[place], place, runs: data.runs.map(() => null)});
      found.get(place).runs[run] = {verdict: data.verdicts[verdict], ratio, low, high};
    }
  });
  return [...found.values()];
}

const verdictsOf = method => new Set(method.runs.filter(Boolean).map(seen => seen.verdict));
const mean = method => {
  const ratios = method.runs.map(seen => seen?.ratio).filter(ratio => ratio);
  return ratios.length ? ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length : Infinity;
};

function sortKey(method) {
  if (state.sort === "name") return method.arm;
  if (state.sort === null) return mean(method);
  return method.runs[state.sort]?.ratio ?? Infinity;
}

function shown() {
  const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
  const methods = methodsOf(state.cell).filter(method => {
    const text = `${method.title} ${method.arm} ${method.family} ${[...verdictsOf(method)].join(" ")}`.toLowerCase();
    return words.every(word => text.includes(word)) && (!state.changed || verdictsOf(method).size > 1);
  });
  const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
  return methods.sort((a, b) => (state.down ? -1 : 1) * order(sortKey(a), sortKey(b)) || order(a.arm, b.arm));
}

const TINTS = {
  faster: "var(--faster)",
  slower: "var(--slower)",
  equivalent: "var(--muted)"
};

function drawMatrix() {
  const table = byId("matrix"), methods = shown();
  table.replaceChildren();
  const head = make(make(table, "thead"), "tr");
  heading(head, "name", "method");
  data.runs.forEach((run, i) => heading(head, i, `${run.letter}: ${run.name}`));
  const body = make(table, "tbody");
  for (const method of methods) {
    const line = make(body, "tr", {class: method.role === "reference" ? "reference" : null, "data-id": method.arm});
    const name = make(line, "th", {scope: "row"});
    make(name, "span", {class: "swatch", style: `background: ${method.colour}`});
    name.append(method.arm);
    explain(
        name,
        `${method.title}, ${method.family}, ${sizeText(method.bytes)}${method.header ? `\n${method.header}` : ""}`);
    for (const seen of method.runs) verdictCell(line, seen);
  }
  byId("count").textContent = `${methods.length} of ${methodsOf(state.cell).length} methods`;
  byId("said").textContent = state.cell.said.join(" ");
}

function heading(head, key, text) {
  const sorted = state.sort === key ? (state.down ? "descending" : "ascending") : null;
  const cell = make(head, "th", {scope: "col", "aria-sort": sorted});
  make(cell, "button", {type: "button", "data-key": key}, text).addEventListener("click", () => {
    state.down = state.sort === key && !state.down;
    state.sort = key;
    refresh();
    byId("matrix").querySelector(`button[data-key="${key}"]`).focus();
  });
}

function verdictCell(line, seen) {
  const cell = make(line, "td", {class: "heat", "data-verdict": seen ? seen.verdict : null});
  if (!seen) return cell.append("\u2013");
  const tint = TINTS[seen.verdict];
  if (tint) cell.style.background = `color-mix(in srgb, ${tint} 18%, var(--paper))`;
  const icon = draw(
      cell, "svg",
      {viewBox: "-7 -7 14 14", width: 12, height: 12, role: "img", "aria-label": seen.verdict || "no verdict"});
  drawVerdict(icon, seen.verdict, 0, 0, 4.6, "currentColor");
  cell.append(` ${ratioText(seen.ratio)} `);
  if (seen.low !== null) make(cell, "small", {class: "sub"}, intervalText(seen.low, seen.high, ratioText).trim());
}

/** A row a method, and in it a lane a run, with the run's letter beside its ratio. */
function drawRatios() {
  const container = byId("ratios-plot"), methods = shown().filter(method => method.runs.some(seen => seen?.ratio));
  if (!methods.length) return container.replaceChildren("No method is left by the filter.");
  const lane = 11, step = lane * data.runs.length + 8,
        page = sheet(container, methods.length * step + 60, `Ratios: ${state.cell.name}`);
  const top = 16, bottom = top + methods.length * step, most = page.narrow ? 17 : 28;
  const left = Math.min(most, Math.max(...methods.map(method => method.arm.length))) * 6.6 + 22,
        right = page.width - 12;
  const ratios = methods.flatMap(method => method.runs.map(seen => seen?.ratio).filter(Boolean)).sort((a, b) => a - b);
  const low = ratios[0] / 1.06,
        high = Math.max(1.5, Math.min(ratios.at(-1), 2 * ratios[Math.floor(0.75 * (ratios.length - 1))])) * 1.06;
  const x = logScale(low, high, left + 8, right);
  drawAxis(
      page.svg, "bottom", x, logTicks(low, high, Math.max(3, Math.floor((right - left) / 60))), times, [top, bottom],
      page.narrow ? "time / reference (log)" : "time / time of the run's own reference, logarithmic");
  draw(page.svg, "line", {x1: x(1), x2: x(1), y1: top, y2: bottom, stroke: "var(--ink)"});
  methods.forEach((method, i) => {
    const y = top + (i + 0.5) * step;
    draw(page.svg, "line", {x1: left, x2: right, y1: y, y2: y, stroke: "var(--grid)", "stroke-width": 0.6});
    draw(page.svg, "rect", {x: 2, y: y - 5, width: 10, height: 10, rx: 2, fill: method.colour});
    draw(page.svg, "text", {x: 18, y: y + 4}, cut(method.arm, most));
    method.runs.forEach((seen, run) => {
      if (!seen?.ratio) return;
      const at = x(Math.min(seen.ratio, high)), level = y + (run - (data.runs.length - 1) / 2) * lane;
      if (seen.low !== null && seen.ratio <= high) {
        draw(page.svg, "line", {
          x1: x(Math.max(low, seen.low)),
          x2: x(Math.min(high, seen.high)),
          y1: level,
          y2: level,
          stroke: method.colour,
          "stroke-width": 2.5
        });
      }
      drawVerdict(page.svg, seen.verdict, at, level, 4, method.colour);
      const text = seen.ratio > high ? `${data.runs[run].letter} \u2192` : data.runs[run].letter;
      const end = at > right - 30;
      explain(
          draw(
              page.svg, "text", {
                x: end ? at - 8 : at + 8,
                y: level + 3.5,
                "text-anchor": end ? "end" : "start",
                class: "quiet",
                "font-size": 10
              },
              text),
          `${method.arm}, ${data.runs[run].letter}: ${ratioText(seen.ratio)}`);
    });
  });
}

/** Ranks with ties shared. */
function ranksOf(values) {
  const order = values.map((value, i) => [value, i]).sort((a, b) => a[0] - b[0]), ranks = [];
  for (let i = 0, j; i < order.length; i = j) {
    for (j = i; j < order.length && order[j][0] === order[i][0]; ++j)
      ;
    for (let k = i; k < j; ++k) ranks[order[k][1]] = (i + j - 1) / 2;
  }
  return ranks;
}

function spearman(pairs) {
  if (pairs.length < 3) return null;
  const [a, b] = [0, 1].map(side => ranksOf(pairs.map(pair => pair[side])));
  const middle = (pairs.length - 1) / 2;
  const sum = (p, q) => p.reduce((total, value, i) => total + (value - middle) * (q[i] - middle), 0);
  const spread = Math.sqrt(sum(a, a) * sum(b, b));
  return spread ? sum(a, b) / spread : null;
}

function drawCorrelations() {
  const table = byId("correlations"), methods = methodsOf(state.cell);
  table.replaceChildren();
  const head = make(make(table, "thead"), "tr");
  make(head, "th", {scope: "col"}, "Spearman \u03c1");
  for (const run of data.runs) make(head, "th", {scope: "col", class: "n"}, run.letter);
  const body = make(table, "tbody");
  data.runs.forEach((run, i) => {
    const line = make(body, "tr");
    make(line, "th", {scope: "row"}, `${run.letter}: ${run.name}`);
    data.runs.forEach((_, j) => {
      const pairs =
          methods.filter(m => m.runs[i]?.ratio && m.runs[j]?.ratio).map(m => [m.runs[i].ratio, m.runs[j].ratio]);
      const rho = i === j ? null : spearman(pairs);
      const cell = make(line, "td", {class: "heat"}, i === j ? "" : rho === null ? "\u2013" : rho.toFixed(2));
      if (rho !== null) make(cell, "small", {class: "sub"}, `${pairs.length} methods`);
    });
  });
}

function refresh() {
  drawMatrix();
  drawRatios();
  drawCorrelations();
}

const label = make(byId("controls"), "label", {class: "wide"}, "Workload, trace and pressure");
const cells = make(label, "select", {id: "choose-cell"});
data.cells.forEach((cell, i) => {
  make(cells, "option", {value: i}, cell.name).selected = cell === state.cell;
});
cells.addEventListener("change", () => {
  state.cell = data.cells[Number(cells.value)];
  refresh();
});
const filter = make(
    make(byId("controls"), "label", {class: "wide"}, "Filter"), "input",
    {type: "search", id: "filter", placeholder: "magic slower"});
filter.addEventListener("input", () => {
  state.words = filter.value;
  refresh();
});
const only = make(byId("controls"), "label", {}, "Verdicts differ");
const box = make(only, "input", {type: "checkbox", id: "changed"});
box.addEventListener("change", () => {
  state.changed = box.checked;
  refresh();
});

refresh();
let drawnWidth = document.documentElement.clientWidth;
window.addEventListener("resize", () => {
  if (document.documentElement.clientWidth === drawnWidth) return;
  drawnWidth = document.documentElement.clientWidth;
  refresh();
});
