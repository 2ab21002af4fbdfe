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
  const lines = data.arms.map((arm, place) => ({arm, place, rows: cells
      .map(cell => cell.unpacked.find(row => row.place === place))}))
                    .filter(line => isShown(line.arm) && line.rows.every(row => value(row) > 0));
  listCrossings(sweep);
  if (!lines.length) return container.replaceChildren("No method is left by the filters.");
  const marked = lines.filter(line => state.marked.has(line.place)), narrow_ = container.clientWidth < 560;
  const {svg, width, height, narrow} = sheet(container, narrow_ ? 400 : 490,
      `Cost against lines touched: ${sweep.name}`);
  const left = 46, right = width - (narrow ? 112 : 180), top = narrow ? 62 : 46, bottom = height - 44;
  const log = d3.scaleLinear([0, Math.log2(1 + d3.max(sweep.lines))], [left + 6, right]);
  const x = Object.assign(n => log(Math.log2(1 + n)), {range: log.range, copy: () => x, domain: () => [0,
      d3.max(sweep.lines)]});
  const seen = (marked.length ? marked : lines).flatMap(line => line.rows.map(value));
  const y = d3.scaleLog([d3.min(seen) / 1.06, d3.max(seen) * 1.06], [bottom, top]).clamp(true);
  drawAxis(svg, "left", y, logTicks(y, 9), isRatio ? times : v => said(v, 2), [left, right],
      isRatio ? "time / reference (log)" : "net ns a query (log)");
  drawAxis(svg, "bottom", x, thin(sweep.lines, x, 32), String, [top, bottom],
           narrow ? "lines touched" : `cache lines touched at each event (${sweep.what})`);
  drawNetworks(svg, x, top, bottom, narrow);
  if (isRatio) svg.append("line").attr("x1", left).attr("x2", right).attr("y1", y(1)).attr("y2", y(1))
      .attr("stroke", "var(--ink)");
  const path = d3.line().x((_, i) => x(sweep.lines[i])).y(row => y(value(row)));
  const band = d3.area().x((_, i) => x(sweep.lines[i])).y0(row => y(row.low)).y1(row => y(row.high));
  const ends = [];
  for (const line of [...lines].sort((a, b) => state.marked.has(a.place) - state.marked.has(b.place))) {
    const isMarked = state.marked.has(line.place), colour = isMarked ? line.arm.colour : "var(--band)";
    if (isMarked && isRatio && line.rows.every(row => row.low !== null))
      svg.append("path").attr("d", band(line.rows)).attr("fill", colour).attr("fill-opacity", 0.22);
    svg.append("path").attr("d", path(line.rows)).attr("fill", "none").attr("stroke", colour)
        .attr("stroke-width", isMarked ? 2 : 1);
    if (isMarked) {
      line.rows.forEach((row, i) => drawShape(svg, FAMILY_SHAPES[line.arm.family], x(sweep.lines[i]), y(value(row)),
          3.2, colour));
      ends.push({y: y(value(line.rows[line.rows.length - 1])), line});
    }
    const words = line.rows.map((row, i) => `${sweep.lines[i]} lines: ${said(value(row))}`).join("\n");
    explain(svg.append("path").attr("d", path(line.rows)).attr("fill", "none").attr("stroke", "transparent")
        .attr("stroke-width", 9)
                .attr("data-arm", line.place), `${line.arm.title} (${line.arm.label})\n${words}`);
  }
  spread(ends, 15, top + 4, bottom);
  for (const end of ends) {
    svg.append("line").attr("x1", right + 5).attr("y1", end.y).attr("x2", right + 14).attr("y2", end.at)
        .attr("stroke", end.line.arm.colour);
    svg.append("text").attr("x", right + 17).attr("y", end.at + 4).style("fill", end.line.arm.text)
        .attr("class", "name")
        .text(cut(end.line.arm.label, narrow ? 14 : 24));
  }
  // Crossings are those of ratios; lines of net times meet elsewhere between two measured points.
  if (isRatio) drawCrossings(svg, sweep, lines, x, y);
}

/** Upright lines at what the engine here touches between two evaluations. */
function drawNetworks(svg, x, top, bottom, narrow) {
  data.networks.filter(network => network.lines <= x.domain()[1]).forEach((network, i) => {
    const at = x(network.lines);
    svg.append("line").attr("x1", at).attr("x2", at).attr("y1", top - 6).attr("y2", bottom)
        .attr("stroke", "var(--muted)").attr("stroke-dasharray", "2 3");
    svg.append("text").attr("x", at).attr("y", top - (narrow ? 24 : 10) - 14 * (i % 2)).attr("class", "quiet network")
        .attr("text-anchor", narrow ? "end" : "middle").text(network.name);
  });
}

const isClear = ([, , , low, high]) => low !== null && high !== null;

/** Crossings of marked methods: a diamond with a bar as wide as the interval. */
function drawCrossings(svg, sweep, lines, x, y) {
  for (const crossing of sweep.crossings) {
    const [a, b, at, low, high] = crossing, line = lines.find(line => line.place === a);
    if (!isClear(crossing) || !line || ![a, b].every(place => state.marked.has(place))) continue;
    const level = y(Math.exp(d3.scaleLinear(sweep.lines.map(x), line.rows.map(row => Math.log(row.ratio)))(x(at))));
    svg.append("path").attr("d", `M${x(low)} ${level - 4}V${level + 4}M${x(low)} ${level}H${x(high)}M${x(high)} ${level - 4}V${level + 4}`)
        .attr("stroke", "var(--ink)").attr("stroke-width", 1.5);
    explain(drawShape(svg, "diamond", x(at), level, 5, "var(--ink)"), crossingText(crossing));
  }
}

function crossingText([a, b, at, low, high]) {
  const ends = [low === null ? "below the sweep" : said(low), high === null ? "beyond the sweep" : said(high)];
  return `${data.arms[a].label} is cheaper up to ${said(at)} lines, ${data.arms[b].label} beyond (95 % interval ${ends
      .join(" to ")})`;
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
