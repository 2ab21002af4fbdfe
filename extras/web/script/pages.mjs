// SPDX-License-Identifier: MIT
//
// What each kind of page does. Those with a board open the module that data.js carries.

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const textOf = async (packed) => new TextDecoder().decode(await unpacked(bytesOf(packed)));

/**
 * The methods, and what is described of them.
 * @returns {{atlas, described}}  of `openAtlas`; described is {places, stepsAt}, lists with an entry a place. Error, one line:
 *     something is missing
 */
export async function openData() {
  if (typeof atlasData === "undefined")
    throw new Error("The file data.js, which has the methods' code, is missing next to this site's pages.");
  const { places, steps } = JSON.parse(await textOf(atlasData.described));
  const stepsAt = places.map(() => []);
  for (const step of steps) for (const place of step.places) stepsAt[place].push(step);
  return { atlas: await openAtlas(bytesOf(atlasData.module), places), described: { places, stepsAt } };
}

/** A method's answer with its events. Error, one line: it names a place that is not described. */
export function askedOf({ atlas, described }, method, { kind, square, pieces }) {
  const { answer, events } = atlas.ask(method, kind, square, boardOf(pieces.keys()));
  if (events.some(({ value }) => value && !described.places[value.place]))
    throw new Error("The module and places.json are of two builds: a value has no place. Make the site again.");
  return { answer, events };
}

/** The line of a page that says what is wrong with it. */
export function complain(message) {
  const banner = byId("wrong");
  banner.textContent = message;
  banner.hidden = false;
}

/** The state in which pages open: some blockers around a queen. */
export function usualState() {
  const pieces = piecesOf("4k3/pp3p2/2p1p3/8/3P4/1P4P1/P4P2/4K3");
  return { pieces, square: squareOf("d5"), kind: "queen", methods: [] };
}

/** The label of a query among others. */
export const labelOf = ({ kind, square }) => `${kind} on ${squareName(square)}`;

/**
 * A page with one board whose state is in the address.
 * @param data  of `openData`
 * @param {(state, desk) => void} show  asks the methods and draws; what it throws is shown in one line
 */
export function createPage(usual, show) {
  let state = stateOf(location.hash, usual);
  const change = (changed) => {
    state = { ...state, ...changed, refused: [] };
    history.replaceState(null, "", hashOf(state));
    draw();
  };
  const desk = createDesk(byId("desk"), change);
  const draw = () => {
    desk.say(state.refused);
    try { show(state, desk); } catch (error) { complain(error.message); }
  };
  globalThis.addEventListener("hashchange", () => {
    state = stateOf(location.hash, usual);
    draw();
  });
  draw();
  return { change };
}

/** The boards of a query for a desk; the answer is compared with the reference's. */
export function boardsOf({ atlas }, { kind, square, pieces }, answer) {
  const expected = atlas.reference(kind, square, boardOf(pieces.keys()));
  if (answer !== expected) throw new Error("This answer is not the reference's: please report it.");
  return { answer, relevant: atlas.relevant(kind, square) };
}

/** Draws a method's steps; the answer of the last one must be the method's. */
export function drawMethodSteps(data, method, list, state, events) {
  const steps = stepsOf(events, data.described, state.kind);
  const relevantBits = squaresOf(data.atlas.relevant(state.kind, state.square)).length;
  drawSteps(list, steps, { square: state.square, relevantBits }, (step, value) => exploreButton(data.atlas, method, state, value));
}

/** The reads among a query's events. */
export const readsOf = (events) => events.filter(({ read }) => read).map(({ read }) => read);

/** Starts a method's page; `data` of `openData`. */
export function startMethod(data) {
  const method = data.atlas.method(document.body.dataset.method);
  const reads = createReads(byId("reads-drawn"));
  createPage(usualState(), (state, desk) => {
    const { answer, events } = askedOf(data, method, state);
    desk.draw(state, boardsOf(data, state, answer));
    drawMethodSteps(data, method, byId("steps-drawn"), state, events);
    reads.draw(method.tables, readsOf(events), labelOf(state));
    byId("compare-link").href = `../compare.html${hashOf({ ...state, methods: [method.id, ...otherThan(method.id)] })}`;
  });
}

/** What a method is compared with first. */
const otherThan = (id) => ["magic_fancy", "hyperbola"].filter((other) => other !== id).slice(0, 1);

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
  return make("section", { className: "column", data: { method: method.id } }, make("h3", {}, link), make("p", {}, facts),
    ...(reads.length ? [make("details", {}, make("summary", {}, "Reads"), readsTable(method.tables, reads, method.id))] : []), steps);
}

/** Starts the stations of the lecture; `data` of `openData`. */
export function startLecture(data) {
  for (const station of document.querySelectorAll(".station")) startStation(data, station);
  const isWithAnswers = new URLSearchParams(location.search).get("answers") !== "no";
  globalThis.addEventListener("beforeprint", () => setAnswers(isWithAnswers));
  globalThis.addEventListener("afterprint", () => setAnswers(false));
}

/** Opens or closes the answers: on paper nobody can open them. */
function setAnswers(open) {
  for (const answer of document.querySelectorAll("details.answer")) answer.open = open;
}

function startStation(data, station) {
  const part = (selector) => station.querySelector(selector);
  const method = () => data.atlas.method(part(".station-methods select").value);
  let state = stateOf(`#${station.dataset.state}`, usualState());
  const factors = part(".factors") && createFactors(part(".factors"), data.atlas);
  const desk = createDesk(part(".desk"), (changed) => {
    state = { ...state, ...changed };
    draw();
  });
  const draw = () => {
    const { answer, events } = askedOf(data, method(), state);
    desk.say([]);
    desk.draw(state, boardsOf(data, state, answer));
    drawMethodSteps(data, method(), part(".steps"), state, events);
    factors?.draw(state);
    part("a.open").href = `methods/${method().id}.html${hashOf({ ...state, methods: [] })}`;
  };
  part(".station-methods select").addEventListener("change", draw);
  draw();
}

/** Starts the table of all methods; its page has of the machines: list of {places: id -> {ratio, text}}. */
export function startMethods() {
  const ratios = JSON.parse(byId("standings").textContent), table = byId("methods"), rows = [...table.tBodies[0].rows];
  const most = byId("most-kib"), words = byId("words"), situation = byId("situation"), needs = byId("needs");
  const show = () => {
    const limit = most.value.trim() === "" ? Infinity : 1024 * Number(most.value);
    const has = new Set(needs.value.split(" ").filter(Boolean));
    for (const row of rows) {
      const canRun = needs.value === "any" || row.dataset.isa.split(" ").filter(Boolean).every((isa) => has.has(isa));
      row.hidden = Number(row.dataset.bytes) > limit || !canRun || !hasWords(row.textContent, words.value);
    }
    byId("shown-count").textContent = `${rows.filter((row) => !row.hidden).length} of ${counted(rows.length, "method")}`;
  };
  const place = () => {
    const { places } = ratios[situation.value];
    for (const row of rows) {
      const cell = row.querySelector(".time"), found = places[row.dataset.id];
      cell.textContent = found?.text ?? "";
      cell.dataset.v = found?.ratio ?? "";
    }
    const head = table.querySelector("th.time");
    head.ariaSort = null;
    sortBy(head);
  };
  for (const control of [most, words, needs]) control.addEventListener("input", show);
  situation.addEventListener("change", place);
  words.value = new URLSearchParams(location.search).get("words") ?? "";
  place();
  show();
}

/** Starts the search that stands on every page: the page of the method that is meant, or else the list of those that fit. */
function startSearch() {
  const box = byId("search"), list = byId("search-methods"), { root } = document.body.dataset;
  list.append(...METHOD_NAMES.map(([id, title]) => make("option", { value: id }, title)));
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = box.value.trim(), found = METHOD_NAMES.filter(([id, title]) => hasWords(`${id} ${title}`, typed));
    const exact = found.find(([id]) => id === typed) ?? (found.length === 1 ? found[0] : null);
    location.href = exact ? `${root}methods/${exact[0]}.html` : `${root}methods.html?words=${encodeURIComponent(typed)}`;
  });
}

const STARTS = { method: startMethod, compare: startCompare, lecture: startLecture };

async function start() {
  const { page } = document.body.dataset;
  startSearch();
  if (page === "methods") startMethods();
  if (page === "measure") startMeasure();
  if (STARTS[page]) STARTS[page](await openData());
  document.body.dataset.started = "yes";
}

const started = start().catch((error) => complain(error.message));
