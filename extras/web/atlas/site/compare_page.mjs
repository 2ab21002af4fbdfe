// SPDX-License-Identifier: MIT
//
// Two or three methods side by side on one board.

const MOST_COMPARED = 3;

/** Starts the page that compares; `data` of `openData`. */
export function startCompare(data) {
  const usual = { ...usualState(), methods: ["magic_fancy", "hyperbola"] };
  let page = null;
  const pickers = createPickers(data, (methods) => page.change({ methods }));
  page = createPage(usual, (state, desk) => {
    const chosen = chosenMethods(data.atlas, state, usual.methods);
    if (chosen.refused.length) desk.say([...state.refused, ...chosen.refused]);
    pickers.show(chosen.methods.map(({ id }) => id));
    byId("compared").replaceChildren(...chosen.methods.map((method) => columnOf(data, method, state, desk)));
  });
}

/** The methods that a state names, and a line for each that there is not. */
function chosenMethods(atlas, { methods }, usual) {
  const known = (id) => atlas.methods.find((method) => method.id === id);
  const refused = methods.filter((id) => !known(id)).map((id) => `The address names a method ${id}, which there is not.`);
  const found = [...new Set(methods.filter(known))].slice(0, MOST_COMPARED);
  return { methods: (found.length ? found : usual).map(known), refused };
}

/** Selects of the methods; the last may be empty. */
function createPickers({ atlas }, changed) {
  const ids = atlas.methods.map(({ id }) => [id, id]).sort();
  const selects = Array.from({ length: MOST_COMPARED }, () => makeSelect([["", "none"], ...ids], ""));
  byId("pickers").append(...selects.map((select, i) => labelled(`Method ${i + 1}`, select)));
  const tell = () => changed(selects.map(({ value }) => value).filter(Boolean));
  for (const select of selects) select.addEventListener("change", tell);
  return { show: (chosen) => selects.forEach((select, i) => { select.value = chosen[i] ?? ""; }) };
}

/** A method's column: what it reads, its steps. The answers are all the reference's, or there is no column. */
function columnOf(data, method, state, desk) {
  const { answer, events } = askedOf(data, method, state), reads = readsOf(events), steps = make("ol", { className: "steps" });
  desk.draw(state, boardsOf(data, state, answer));
  drawMethodSteps(data, method, steps, state, events);
  const lines = new Set(reads.flatMap(linesOf)), bytes = method.tables.reduce((sum, table) => sum + table.bytes, 0);
  const link = make("a", { href: `methods/${method.id}.html${hashOf({ ...state, methods: [] })}` }, method.title);
  const facts = `${counted(reads.length, "read")} of tables, ${counted(lines.size, "cache line")}, ` +
    `tables of ${bytes.toLocaleString("en")} bytes`;
  const table = makeTable(`Reads of ${method.id}`, ["table", "offset", "bytes", "cache line"],
    reads.map((read) => makeRow([method.tables[read.table].name, read.offset.toLocaleString("en"), read.bytes,
      linesOf(read).map((name) => name.split(":")[1]).join(", ")])));
  return make("section", { className: "column", data: { method: method.id } }, make("h3", {}, link), make("p", {}, facts),
    ...(reads.length ? [make("details", {}, make("summary", {}, "Reads"), table)] : []), steps);
}
