// SPDX-License-Identifier: MIT
// The controls of a run's page: sliders, choices, families and marked methods.
"use strict";

function choose(parent, head, options, chosen, onChange, id = null) {
  const label = make(parent, "label", {}, head);
  const select = make(label, "select", {id});
  for (const [value, text] of options) make(select, "option", {value}, text).selected = value === String(chosen);
  select.addEventListener("change", () => onChange(select.value));
  return select;
}

function slide(parent, id, head) {
  const label = make(parent, "label", {class: "wide"}, head);
  const output = make(label, "output", {for: id, id: `${id}-said`
  });
  return {input: make(label, "input", {type: "range", id, min: 0, step: 1}), output};
}

const pressure = slide(byId("controls"), "pressure", "Pressure between queries");
const cache = slide(byId("controls"), "cache", "Cache size for the misses");
const selects = {};

function buildControls() {
  for (const name of COORDINATES) {
    const values = [...new Set(data.cells.map(cell => String(cell[name])))];
    if (values.length < 2) continue;
    selects[name] =
        choose(byId("controls"), HEADS[name], values.map(value => [value, value]), state.cell[name], value => {
          state.cell = change(name, value);
          refresh();
        }, `choose-${name}`);
  }
  choose(
      byId("controls"), "Tables", [["Infinity", "any size"], ["65536", "at most 64 KiB"], ["8192", "at most 8 KiB"]],
      "Infinity", value => {
        state.limit = Number(value);
        refresh();
      }, "choose-limit");
  pressure.input.addEventListener("input", () => {
    state.cell = pressureCells()[Number(pressure.input.value)];
    refresh();
  });
  cache.input.addEventListener("input", () => {
    state.size = Number(cache.input.value);
    refresh();
  });
  const entry = grid(64);
  if (entry !== null) {
    const l1 = data.caches.find(level => level.name === "L1D");
    state.size = nearestSize(entry, l1 ? l1.bytes : 32768);
    cache.input.max = entry.sizes.length - 1;
  }
  cache.input.parentElement.hidden = entry === null;
  buildLevels();
  for (const family of families) {
    const chip = make(byId("families"), "button", {type: "button", "aria-pressed": "true", "data-family": family});
    const icon = draw(chip, "svg", {viewBox: "-7 -7 14 14", "aria-hidden": "true"});
    drawShape(icon, FAMILY_SHAPES[family], 0, 0, 4.6, data.arms.find(arm => arm.family === family).colour);
    make(chip, "span", {}, family);
    chip.addEventListener("click", () => {
      state.hidden.has(family) ? state.hidden.delete(family) : state.hidden.add(family);
      chip.setAttribute("aria-pressed", String(!state.hidden.has(family)));
      refresh();
    });
  }
  for (const [place, arm] of data.arms.entries()) {
    const chip = make(byId("marks"), "button", {type: "button", "data-mark": place});
    make(chip, "span", {class: "swatch", style: `background: ${arm.colour}`});
    make(chip, "span", {}, arm.label);
    chip.addEventListener("click", () => mark(place));
  }
}

/** The choice of what is drawn beside the ranking; showControls() leaves what the chosen cell has. */
function buildLevels() {
  const names = new Map(data.counts.map(({metric, name}) => [metric, name]));
  const options = [["any", "misses of a cache of the chosen size"], ...names];
  choose(byId("controls"), "Beside the ranking", options, state.level, value => {
    state.level = value;
    refresh();
  }, "choose-level");
}

function mark(place) {
  state.marked.has(place) ? state.marked.delete(place) : state.marked.add(place);
  refresh();
}

document.addEventListener("click", event => {
  const place = event.target.closest("[data-arm]")?.dataset.arm;
  if (place !== undefined) mark(Number(place));
});

function showControls() {
  const cells = pressureCells(), entry = grid(64);
  pressure.input.max = cells.length - 1;
  pressure.input.value = cells.indexOf(state.cell);
  pressure.input.parentElement.hidden = cells.length < 2;
  pressure.output.textContent = state.cell.pressure + (state.cell.touches ? ` (${state.cell.touches})` : "");
  cache.input.value = state.size;
  cache.output.textContent = entry === null ? "" : sizeText(entry.sizes[state.size]);
  pressure.input.setAttribute("aria-valuetext", pressure.output.textContent);
  cache.input.setAttribute("aria-valuetext", cache.output.textContent);
  for (const [name, select] of Object.entries(selects)) select.value = String(state.cell[name]);
  const levels = levelsHere();
  if (!levels.includes(state.level)) state.level = levels[0] ?? "any";
  for (const option of byId("choose-level").options) option.hidden = !levels.includes(option.value);
  byId("choose-level").value = state.level;
  byId("choose-level").parentElement.hidden = levels.length < 2;
  byId("misses-side").hidden = levels.length === 0;
  for (const chip of byId("marks").children) {
    chip.setAttribute("aria-pressed", String(state.marked.has(Number(chip.dataset.mark))));
  }
  for (const place of document.querySelectorAll(".cell-name")) place.textContent = state.cell.name;
}
