// SPDX-License-Identifier: MIT
// The controls, and everything drawn, and drawn again after every change.
"use strict";

for (const [name, head] of Object.entries(COORDINATES)) {
  const values = [...new Set(data.cells.map(cell => String(cell[name])))];
  if (values.length < 2) continue;
  const select = d3.select("#controls").insert("label", "#words-label").text(head).append("select").attr("id", `choose-${name}`);
  select.selectAll("option").data(values).join("option").text(value => value);
  select.on("change", () => {
    state.cell = change(name, select.property("value"));
    refresh();
  });
}
byId("words").addEventListener("input", event => {
  state.words = event.target.value;
  refresh();
});

function refresh() {
  const said = address();
  // A section's anchor may stay.
  if (said !== location.hash.slice(1) && (said || location.hash.includes("=")))
    history.replaceState(null, "", said ? `#${said}` : location.pathname + location.search);
  for (const name of Object.keys(COORDINATES)) d3.select(`#choose-${name}`).property("value", String(state.cell[name]));
  byId("words").value = state.words;
  d3.selectAll(".cell-name").text(state.cell.name + (state.cell.touches ? ` (${state.cell.touches})` : ""));
  for (const draw of [drawRanking, drawTable, drawCrossover, drawFootprint]) draw();
}

function start() {
  if (location.hash && !location.hash.includes("=")) return;  // a section of the page
  readAddress();
  refresh();
}

document.addEventListener("click", event => {
  const place = event.target.closest("[data-arm]")?.dataset.arm;
  if (place === undefined) return;
  if (!state.marked.delete(Number(place))) state.marked.add(Number(place));
  refresh();
});
addEventListener("hashchange", start);

byId("copy-view").addEventListener("click", event => copy(location.href, event.target));
byId("copy-table").addEventListener("click", event => copy(markdown(byId("methods-live")), event.target));
byId("copy-answer").addEventListener("click", event => {
  const texts = [...document.querySelectorAll("#sentences li")].map(item => `- ${item.textContent}`).join("\n");
  copy([texts, byId("eight") ? markdown(byId("eight")) : ""].filter(Boolean).join("\n\n"), event.target);
});
readAddress();
refresh();
if (byId("headers")) unpackHeaders();
