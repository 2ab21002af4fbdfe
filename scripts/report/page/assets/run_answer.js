// SPDX-License-Identifier: MIT
// The answer: a line a situation, and the winners beside the well-known methods.
"use strict";

function drawAnswer() {
  const {answer} = data, told = answer?.situations ?? [];
  d3.selectAll(".reference-name").text(data.reference || "the reference");
  const lines = d3.select("#answers").selectAll("li").data(told).join("li")
      .attr("class", ({verdict}) => verdict).text("");
  lines.append("span").attr("class", "title").text(({title}) => title);
  const said = lines.append("span").attr("class", "said");
  said.append("b").text(({what}) => what);
  said.append("span").text(({change}) => ` ${change} `);
  said.append("span").attr("class", "rest").text(({rest}) => rest);
  d3.select("#sentences").selectAll("li").data(told).join("li").text(({text}) => text);
  const [command, why] = answer?.next ?? [];
  const next = d3.select("#next").text(command ? "Next: " : "");
  if (command) next.append("code").text(command);
  if (command) next.append("span").text(why ? ` (${why}) ` : " ");
  if (command) next.append("button").text("copy the command").on("click", event => copy(command, event.target));
  drawWinners();
}

/** What the table of the winners says of a contender in a situation: its ratio, and the verdict where it is decided. */
function outcome(contender, situation) {
  const row = rowIn(data.cells[situation.cell], contender);
  if (!row) return UNJUDGED;
  const known = data.answer?.table.rows.find(([method]) => contenderOf(method) === contender);
  const column = data.answer?.table.situations.indexOf(situation.id) ?? -1;
  const isSure = known?.[2][column] ?? !isUndecided(row);
  return {...row, verdict: isSure || row.verdict === "reference" ? row.verdict : "inconclusive"};
}

/** The methods in sight, by the situation that decides. */
function inSight() {
  const cell = data.cells[deciding()?.cell];
  const ratio = contender => cell && rowIn(cell, contender)?.ratio;
  return [...view.sight].sort((a, b) => compare(ratio(a), ratio(b)) || a.localeCompare(b));
}

function drawWinners() {
  const table = d3.select("#winners"), last = deciding();
  const situations = view.situations.toSorted((a, b) => (b === last) - (a === last));
  table.html("<thead><tr></tr></thead><tbody></tbody>");
  const heads = table.select("tr");
  heads.append("th").attr("scope", "col").text("method");
  heads.selectAll("th.n").data(situations).join("th").attr("class", "n").attr("scope", "col")
      .attr("aria-sort", situation => situation === last ? "ascending" : null)
      .append("span").text(({title}) => title);
  const rows = table.select("tbody").selectAll("tr").data(inSight()).join("tr").attr("data-id", contender => contender)
      .attr("class", contender => contenders[contender].method === data.reference ? "reference" : null);
  rows.append("th").attr("scope", "row").each(fillWinner);
  for (const situation of situations)
    rows.append("td").each(function(contender) {
      const found = outcome(contender, situation);
      const cell = d3.select(this).attr("class", `n ${isUndecided(found) ? "undecided" : found.verdict}`);
      cell.text(found.verdict === "reference" ? "0" : found.ratio === null ? DASH : changeNumber(found.ratio));
      if (found.ratio !== null && found.ratio < 10) cell.append("span").attr("class", "unit").text(" %");
      if (isUndecided(found)) cell.append("span").text(" ?");
    });
}

/** A name as parts of a text that may break after each underscore. */
const breakable = name => name.split(/(?<=_)/).flatMap(part => [part, document.createElement("wbr")]);

/** A method's name in the table of the winners; what the reader added can go again. */
function fillWinner(contender) {
  const cell = d3.select(this), {label, colour} = contenders[contender];
  cell.append("span").attr("class", "swatch").style("background", colour);
  cell.append("span").each(function() { this.append(...breakable(label)); });
  if (!view.named.has(contender))
    cell.append("button").attr("class", "copy").attr("data-contender", contender).text("\u00d7")
        .attr("aria-label", `${label}: leave it out again`);
}
