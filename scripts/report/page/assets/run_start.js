// SPDX-License-Identifier: MIT
// The controls, and everything drawn, and drawn again after every change.
"use strict";

function choose(parent, head, options, id, onChange) {
  const select = make(make(parent, "label", {}, head), "select", {id});
  for (const [value, text] of options) make(select, "option", {value}, text);
  select.addEventListener("change", () => {
    onChange(select.value);
    refresh();
  });
}

function buildControls() {
  const controls = byId("controls"), label = make(controls, "label", {class: "wide"}, "Pressure between queries");
  make(label, "output", {for: "pressure", id: "pressure-said"});
  make(label, "input", {type: "range", id: "pressure", min: 0, step: 1}).addEventListener("input", event => {
    state.cell = pressureCells()[Number(event.target.value)];
    refresh();
  });
  for (const name of COORDINATES) {
    const values = [...new Set(data.cells.map(cell => String(cell[name])))];
    const options = values.map(value => [value, value]);
    if (values.length > 1)
      choose(controls, HEADS[name], options, `choose-${name}`, value => { state.cell = change(name, value); });
  }
  const limits = [["Infinity", "any size"], ["65536", "at most 64 KiB"], ["8192", "at most 8 KiB"]];
  choose(controls, "Tables", limits, "choose-limit", value => { state.limit = Number(value); });
  for (const family of families) {
    const chip = make(byId("families"), "button", {type: "button", "data-family": family});
    const icon = add(d3.select(chip), "svg", {viewBox: "-7 -7 14 14", "aria-hidden": "true"});
    drawShape(icon, FAMILY_SHAPES[family], 0, 0, 4.6, data.arms.find(arm => arm.family === family).colour);
    make(chip, "span", {}, family);
    chip.addEventListener("click", () => toggle(state.hidden, family));
  }
  data.arms.forEach((arm, place) => {
    const chip = make(byId("marks"), "button", {type: "button", "data-mark": place});
    make(chip, "span", {class: "swatch", style: `background: ${arm.colour}`});
    make(chip, "span", {}, arm.label);
    chip.addEventListener("click", () => toggle(state.marked, place));
  });
  if (!byId("crossover-plot")) return;
  choose(byId("crossover-controls"), "Sweep", data.sweeps
      .map((sweep, i) => [String(i), sweep.name]), "choose-sweep", value => { state.sweep = Number(value); });
  choose(byId("crossover-controls"), "Cost", [["ratio", "ratio to the reference"], ["net", "net ns a query"]],
      "choose-cost", value => { state.cost = value; });
}

function toggle(set, value) {
  if (!set.delete(value)) set.add(value);
  refresh();
}

function showControls() {
  const cells = pressureCells(), pressure = byId("pressure"),
      words = state.cell.pressure + (state.cell.touches ? ` (${state.cell.touches})` : "");
  pressure.max = cells.length - 1;
  pressure.value = cells.indexOf(state.cell);
  pressure.parentElement.hidden = cells.length < 2;
  byId("pressure-said").textContent = words;
  pressure.setAttribute("aria-valuetext", words);
  for (const name of COORDINATES) if (byId(`choose-${name}`)) byId(`choose-${name}`).value = String(state.cell[name]);
  byId("choose-limit").value = String(state.limit);
  byId("methods-filter").value = state.words;
  byId("methods-verdict").value = state.verdict;
  const press = (chip, isPressed) => chip.setAttribute("aria-pressed", String(isPressed));
  for (const chip of byId("marks").children) press(chip, state.marked.has(Number(chip.dataset.mark)));
  for (const chip of byId("families").children) press(chip, !state.hidden.has(chip.dataset.family));
  for (const place of document.querySelectorAll(".cell-name")) place.textContent = state.cell.name;
}

function refresh() {
  tip.hidden = true;
  const said = address();
  // A section's anchor may stay.
  if (said !== location.hash.slice(1) && (said || location.hash.includes("=")))
    history.replaceState(null, "", said ? `#${said}` : location.pathname + location.search);
  for (const step of [showControls, drawRanking, drawTable, drawCrossover, drawFootprint]) step();
}

document.addEventListener("click", event => {
  const place = event.target.closest("[data-arm]")?.dataset.arm;
  if (place !== undefined) toggle(state.marked, Number(place));
});
addEventListener("hashchange", () => {
  if (!location.hash.includes("=")) return;  // a section of the page
  readAddress();
  refresh();
});
let drawnWidth = document.documentElement.clientWidth;
addEventListener("resize", () => {
  if (document.documentElement.clientWidth === drawnWidth) return;
  drawnWidth = document.documentElement.clientWidth;
  refresh();
});

byId("copy-view").hidden = false;
byId("copy-view").addEventListener("click", event => copy(location.href, event.target));
byId("copy-answer").hidden = !byId("eight") && !byId("sentences");
byId("copy-answer").addEventListener("click", event => {
  const texts = [...document.querySelectorAll("#sentences li")].map(item => `- ${item.textContent}`).join("\n");
  copy([texts, byId("eight") ? markdown(byId("eight")) : ""].filter(Boolean).join("\n\n"), event.target);
});
buildControls();
readAddress();
refresh();
if (byId("headers")) unpackHeaders();
