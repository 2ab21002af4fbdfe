// SPDX-License-Identifier: MIT
//
// What the page does: one button that measures and stops, and the drawing of what came out. Joined behind the other modules.

const bytesOf = (id) => Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
// The least module that needs SIMD128: a type of functions that take a v128.
const simdModule = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 1, 123, 0);
const hiddenWords = "The page went to the background, where browsers throttle: the run has ended and counts nothing. " +
  "Keep the tab in sight.";
const stoppedWords = "Stopped: nothing was counted.";
let running = null, last = null;

/** What this browser lacks, one line; null where it has all. */
function missing() {
  if (typeof WebAssembly === "undefined") return "This browser has no WebAssembly: nothing can be measured.";
  if (!WebAssembly.validate(simdModule))
    return "This browser's WebAssembly has no SIMD128, vectors of 128 bits: nothing can be measured. Use a newer one.";
  if (typeof DecompressionStream === "undefined")
    return "This browser has no DecompressionStream, which unpacks the methods: nothing can be measured. Use a newer one.";
  return null;
}

function say(text, isBad = false) {
  byId("status").textContent = text;
  byId("status").className = isBad ? "banner bad" : "";
}

/** Runs a task in a worker of its own; returns what it found. Error: it failed, or was stopped. */
function inWorker(task, given, onProgress, signal) {
  const address = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
  const worker = new Worker(address);
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.onerror = () => reject(new Error("The worker does not start in this browser: nothing was measured."));
    worker.onmessage = ({ data: { done, error, progress } }) => {
      if (error !== undefined) reject(new Error(error));
      else if (done !== undefined) resolve(done);
      else onProgress(progress);
    };
    worker.postMessage({ task, moduleBytes: bytesOf("module"), traceBytes: bytesOf("trace"), ...given });
  }).finally(() => {
    worker.terminate();
    URL.revokeObjectURL(address);
  });
}

/** Verifies, then races; returns {started, seconds, plan, clock, cells}. Error, one line: nothing was measured, and why. */
async function measure(seconds, signal) {
  const started = new Date().toISOString(), show = (share) => { byId("progress").value = share; };
  say("Verifying every method on every square and every relevant subset of occupancy.");
  const { methods, stepMs, isolated } = await inWorker("check", {}, show, signal);
  const twins = 1, [seed] = crypto.getRandomValues(new Uint32Array(1));
  const plan = { ...planFor(stepMs, seconds, methods.length + twins), methods: methods.map(({ id }) => id),
                 reference: REFERENCE, cells: CELLS, rounds: Infinity, seed };
  const starts = [];
  while (starts.length < plan.starts) {
    const done = starts.length, own = { ...plan, seed: (seed + done) >>> 0 };
    say(`All ${methods.length - 1} methods answer rightly. Measuring, start ${done + 1} of ${plan.starts}.`);
    starts.push(await inWorker("race", { plan: own }, (share) => show((done + share) / plan.starts), signal));
  }
  const clock = { step_ms: stepMs, sample_ms: plan.sampleMs, cross_origin_isolated: isolated };
  return { started, seconds, plan, clock, cells: CELLS.map((cell) => judged(cell, starts)) };
}

const roleOf = (id) => ({ [REFERENCE]: "reference", empty: "empty" })[id] ?? (id.endsWith(".twin") ? "twin" : "method");

/** A cell with its times and verdicts. */
function judged([workload, pressure], starts) {
  const name = `${workload} ${pressure}`, times = timesOf(starts, name, REFERENCE);
  const roles = new Map([...times.keys()].map((id) => [id, roleOf(id)]));
  const own = starts.map((samples) => samples.filter((sample) => sample.cell === name));
  const rounds = own.map((samples) => new Set(samples.map((sample) => sample.round)).size);
  const reach = (count, sharing) => data.reaches[count - 2][sharing - 1];
  return { workload, pressure, times, roles, rounds, ...judgeCell(times, roles, MARGIN, reach) };
}

const titleOf = ({ pressure }) => byId(`${pressure}-title`).textContent;

/** The committed machines in a cell, as `drawRanking` takes them. */
function machinesIn(workload, pressure) {
  const cell = `${workload} ${pressure}`;
  return data.machines.map(({ name, ratios }) => ({ name, ratios: new Map(Object.entries(ratios[cell] ?? {})) }));
}

/** Draws the rankings of the last race, as wide as there is room. */
function drawRankings() {
  for (const cell of last?.cells ?? [])
    drawRanking(byId(`${cell.pressure}-plot`), titleOf(cell), cell.rows, machinesIn(cell.workload, cell.pressure));
}

/** Fills the tables: of the committed machines, and of the last race where there was one. */
function fillTables() {
  for (const [workload, pressure] of CELLS) {
    const cell = last?.cells.find((each) => each.pressure === pressure);
    fillTable(byId(`${pressure}-table`), cell?.rows ?? [], machinesIn(workload, pressure));
  }
}

/** The answers of the last race, and what its clock allowed. */
function answer() {
  const item = (cell) => {
    const { what, rest, isShown } = answerOf(cell, REFERENCE), made = element("li", { className: isShown ? "sure" : "unsure" });
    const parts = [["title", titleOf(cell)], ["", what], ["rest", rest]];
    made.append(...parts.map(([className, textContent]) => element("span", { className, textContent })));
    return made;
  };
  byId("answers").replaceChildren(...last.cells.map(item));
  byId("clock").textContent = clockWords(last);
}

function clockWords({ clock, plan, cells }) {
  const isolated = clock.cross_origin_isolated ? "isolated" : "not isolated, so that browsers make it coarse";
  const rounds = cells[0].rounds.reduce((sum, count) => sum + count, 0), step = 100 * clock.step_ms / clock.sample_ms;
  const bounds = cells.map(({ bound }) => changeText(1 + bound)).join(" and ");
  return `The clock moves in steps of ${shown(clock.step_ms)} (this page is ${isolated}). A sample takes ` +
    `${shown(clock.sample_ms)}, of which a step is ${Number(step.toPrecision(2))} %; means are over ${rounds} rounds in ` +
    `${plan.starts} starts of a worker. Identical code, timed twice, may have differed by ${bounds}; smaller differences ` +
    "are not told apart.";
}

/** Measures from the press of the button to the drawing, or to the line that says why not. */
async function run() {
  running = new AbortController();
  last = null;
  byId("measure").textContent = "Stop (Escape)";
  byId("progress").hidden = false;
  byId("outcome").hidden = true;
  try {
    if (document.hidden) throw new Error(hiddenWords);
    last = await measure(secondsOf(location.search), running.signal);
    answer();
    say("Done.");
  } catch (error) {
    say(error.message, true);
  }
  running = null;
  byId("measure").textContent = last ? "Measure again" : "Measure in this browser";
  byId("progress").hidden = true;
  byId("outcome").hidden = !last;
  drawRankings();
  fillTables();
}

const stop = (words) => running?.abort(new Error(words));

/** Hands the last race out as a file. */
async function save() {
  const result = resultFile(last, await describeBrowser(navigator), byId("cpu").value.trim());
  const name = `slidebench ${result.browser.name} ${result.started.slice(0, 10)}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const href = URL.createObjectURL(new Blob([`${JSON.stringify(result, null, 1)}\n`], { type: "application/json" }));
  element("a", { href, download: `${name}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

const fault = missing();
if (fault) say(fault, true);
byId("measure").disabled = Boolean(fault);
byId("measure").addEventListener("click", () => running ? stop(stoppedWords) : run());
document.addEventListener("keydown", (event) => { if (event.key === "Escape") stop(stoppedWords); });
document.addEventListener("visibilitychange", () => { if (document.hidden) stop(hiddenWords); });
byId("save").addEventListener("click", save);
addEventListener("resize", drawRankings);
fillTables();
