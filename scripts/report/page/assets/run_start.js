// SPDX-License-Identifier: MIT
// The controls, and everything drawn, and drawn again after every change.
"use strict";

function refresh(changed) {
  Object.assign(state, changed);
  writeAddress();
  readState();
  for (const name of Object.keys(COORDINATES)) d3.select(`#choose-${name}`).property("value", String(view.cell[name]));
  byId("words").value = state.words;
  d3.selectAll(".cell-name").text(view.cell.name + (view.cell.touches ? ` (${view.cell.touches})` : ""));
  for (const draw of [drawRanking, drawTable, drawCrossover, drawFootprint]) draw();
}

for (const [name, head] of Object.entries(COORDINATES)) {
  const values = [...new Set(data.cells.map(cell => String(cell[name])))];
  if (values.length < 2) continue;
  const label = d3.select("#controls").insert("label", "#words-label").text(head);
  const select = label.append("select").attr("id", `choose-${name}`);
  select.selectAll("option").data(values).join("option").text(value => value);
  select.on("change", () => refresh({cell: coordinates(change(name, select.property("value")))}));
}
byId("words").addEventListener("input", event => refresh({words: event.target.value}));

document.addEventListener("click", event => {
  const contender = event.target.closest("[data-contender]")?.dataset.contender;
  if (contender === undefined) return;
  const others = [...view.marked].filter(other => other !== contender);
  refresh({marked: [...others, ...(view.marked.has(contender) ? [] : [contender])].join(",")});
});
addEventListener("hashchange", () => {
  if (!location.hash.includes("=")) return;  // a section of the page
  readAddress();
  refresh();
});

byId("copy-view").addEventListener("click", event => copy(location.href, event.target));
byId("copy-table").addEventListener("click", event => copy(markdown(byId("methods-live")), event.target));
byId("copy-answer").addEventListener("click", event => {
  const texts = [...document.querySelectorAll("#sentences li")].map(item => `- ${item.textContent}`).join("\n");
  copy([texts, byId("eight") ? markdown(byId("eight")) : ""].filter(Boolean).join("\n\n"), event.target);
});
readAddress();
refresh();
if (byId("headers")) unpackHeaders();
