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
  byId("cell-note").textContent = cellNote(view.cell);
  for (const draw of [drawChoices, drawAnswer, drawFirst, drawTable, fillFolds]) draw();
}

/** What is to be known of a cell. */
const cellNote = ({margin, said}) =>
    (margin ? `Margin \u00b1${Number((100 * margin).toPrecision(3))} %, fixed before the run. ` : "") + said;

/** The methods that can be shown. */
function drawChoices() {
  const options = (id, values, text) => d3.select(id).selectAll("option").data(values).join("option")
      .attr("value", value => value).text(text);
  const others = data.contenders.map(({contender}) => contender).filter(contender => !view.sight.has(contender));
  options("#show-method", ["", ...others], name => name || "choose");
  byId("show-method").value = "";
}

/** A chooser for each coordinate of the cells in which they differ. */
function makeChoosers() {
  for (const [name, head] of Object.entries(COORDINATES)) {
    const values = [...new Set(data.cells.map(cell => String(cell[name])))];
    if (values.length < 2) continue;
    const label = d3.select("#controls").insert("label", "#words-label").text(head);
    const select = label.append("select").attr("id", `choose-${name}`);
    select.selectAll("option").data(values).join("option").text(value => value);
    select.on("change", () => refresh({cell: coordinates(change(name, select.property("value")))}));
  }
}

byId("words").addEventListener("input", event => refresh({words: event.target.value}));
byId("show-method").addEventListener("change", event => toggle(event.target.value));

/** Shows a method in every figure, or no longer. */
function toggle(contender) {
  const others = [...view.marked].filter(other => other !== contender);
  refresh({marked: [...others, ...(view.marked.has(contender) ? [] : [contender])].join(",")});
}

document.addEventListener("click", ({target}) => {
  const {contender, header, file} = target.dataset;
  const inTable = target.closest("#methods-live");
  if (contender !== undefined) toggle(contender);
  if (contender !== undefined && inTable)
    document.querySelector(`#methods-live [data-contender="${CSS.escape(contender)}"]`)?.focus({preventScroll: true});
  if (header) copy(packed.headers[header], target);
  if (file) saveText(packed.files[file], file);
});
addEventListener("hashchange", () => {
  if (!location.hash.includes("=")) return openTarget();  // a section of the page
  readAddress();
  refresh();
});
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== width) refresh();
  width = innerWidth;
});

byId("copy-view").addEventListener("click", event => copy(location.href, event.target));
byId("copy-table").addEventListener("click", event => copy(markdown(byId("methods-live")), event.target));
byId("save-table").addEventListener("click", () => saveText(csv(byId("methods-live")), "methods.csv"));
byId("copy-answer").addEventListener("click", event => {
  const texts = [...document.querySelectorAll("#sentences li")]
      .map(item => `- ${item.dataset.text ?? item.textContent}`).join("\n");
  copy([texts, markdown(byId("winners"))].filter(Boolean).join("\n\n"), event.target);
});
/** The page, once it is unpacked. */
async function start() {
  await unpack();
  makeChoosers();
  readAddress();
  refresh();
  openTarget();
}
const started = start();
