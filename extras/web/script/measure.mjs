// SPDX-License-Identifier: MIT
//
// The page that measures in a visitor's browser: what is measured, and for how long, by what the browser's clock can tell; one button
// that measures and stops; what came out, in words and as a file.

export const REFERENCE = "magic_fancy", MARGIN = 0.01, WORKLOAD = "throughput";
export const CELLS = ["isolated", "net1024"];

const leastSampleMs = 4, stepsInASample = 20, mostStarts = 8, leastStarts = 3;
/** A warm-up also says how many passes make a sample: to a fifth, where it takes five steps. */
const leastWarmUpMs = 1, stepsInAWarmUp = 5;
/** In a start, with the round that is there for the compiler, whose warm-ups take so long. */
const leastRounds = 4, compileMs = 5;
/** How many times as long as asked for a race may take where the clock is coarse. */
const mostOverrun = 3;

/**
 * The plan of a race of so many contenders: {sampleMs, warmUpMs, compileMs, leastRounds, starts, startMs}, where
 * `stepMs` is the clock's. Error, one line: the clock is too coarse.
 */
export function planFor(stepMs, seconds, contenders) {
  const sampleMs = Math.max(leastSampleMs, stepsInASample * stepMs);
  const warmUpMs = Math.max(leastWarmUpMs, stepsInAWarmUp * stepMs);
  const startMs = leastRounds * CELLS.length * contenders * (sampleMs + warmUpMs), leastMs = leastStarts * startMs;
  if (leastMs > mostOverrun * 1000 * seconds)
    throw new Error(`The clock of this browser moves in steps of ${msText(stepMs)}, too coarse for ${seconds} seconds: ` +
                    "nothing was measured. Switch off its protection against fingerprinting for this page, or add " +
                    `?seconds=${Math.ceil(leastMs / mostOverrun / 1000)} to the address.`);
  const starts = Math.min(mostStarts, Math.max(leastStarts, Math.floor(1000 * seconds / startMs)));
  return { sampleMs, warmUpMs, compileMs: Math.max(compileMs, warmUpMs), leastRounds: leastRounds - 1, starts,
           startMs: 1000 * seconds / starts };
}

/** A time in ms as people read it. */
export const msText = (ms) => ms < 1 ? `${Number((1000 * ms).toPrecision(2))} \u00b5s` : `${Number(ms.toPrecision(2))} ms`;

/** The seconds that the page's address asks for (?seconds=N), 30 without. Error, one line: no number from 1 to 600. */
export function secondsOf(search) {
  const asked = new URLSearchParams(search).get("seconds") ?? "30";
  if (!/^\d{1,3}$/.test(asked) || asked < 1 || asked > 600)
    throw new Error(`?seconds=${asked.slice(0, 20)} in the address is no whole number from 1 to 600; change it or ` +
                    "leave it out.");
  return Number(asked);
}

/** The answer of a judged cell: {what, rest, isShown}. */
export function answerOf({ rows, bound, isSound }) {
  const methods = rows.filter((row) => row.verdict && row.verdict !== "reference"), [least] = methods;
  if (!isSound) return { what: "no answer", rest: "identical code differed significantly; measure again", isShown: false };
  if (least.verdict === "void")
    return { what: "no answer", rest: "a method was faster than the loop without one", isShown: false };
  const named = methods.find((row) => row.verdict === "faster");
  if (!named) {
    const rest = `identical code differed by up to ${changeText(1 + bound)}; least: ${least.contender} ` +
      changeWithInterval(least);
    return { what: `no method is significantly faster than ${REFERENCE}`, rest, isShown: false };
  }
  const others = rows.filter((row) => row.best && row !== named).map((row) => row.contender);
  const names = others.slice(0, 4).join(", ") + (others.length > 4 ? " \u2026" : "");
  return { what: `${named.contender} ${changeWithInterval(named)}`, isShown: true,
           rest: others.length ? `tied for first: ${names}` : "no other is as fast" };
}

// What is in a user agent's text, first match: the browser, its engine.
const agents = [
  [/(?:iPhone|iPad|iPod).*? (?:CriOS|FxiOS|Version)\/([\d.]+)/, "browser of iOS", "JavaScriptCore"],
  [/Firefox\/([\d.]+)/, "Firefox", "SpiderMonkey"],
  [/Edg\/([\d.]+)/, "Edge", "V8"],
  [/Chrom(?:e|ium)\/([\d.]+)/, "Chromium", "V8"],
  [/Version\/([\d.]+).*Safari\//, "Safari", "JavaScriptCore"],
  [/(?:)/, "unknown", "unknown"],
];

/** What this browser tells of itself: {name, version, engine, system, mobile, cores, user_agent}. */
export async function describeBrowser({ userAgent, userAgentData, platform, hardwareConcurrency }) {
  const [pattern, name, engine] = agents.find(([each]) => each.test(userAgent));
  const asked = ["architecture", "bitness", "fullVersionList"];
  const told = await Promise.resolve(userAgentData?.getHighEntropyValues(asked)).catch(() => undefined);
  const brand = told?.fullVersionList?.find((each) => /Chrom|Edge|Opera/.test(each.brand));
  const system = [userAgentData?.platform || platform, told?.architecture, told?.bitness];
  return {
    name: brand?.brand ?? name, version: brand?.version ?? pattern.exec(userAgent)[1] ?? "", engine,
    system: system.filter(Boolean).join(" "), mobile: userAgentData?.mobile ?? /Mobi/.test(userAgent),
    cores: hardwareConcurrency ?? 0, user_agent: userAgent,
  };
}

/** The file of a race, an object, which `slidebench.py add-machine` takes. race: what `measure` gives; `browser` of `describeBrowser`. */
export function resultFile({ started, seconds, plan, clock, cells }, browser, cpu) {
  const digits = (value) => Number(value.toPrecision(8)), { module, trace } = data;
  const kept = ({ contender, role, ns, logs }) => ({ contender, role, ns_per_query: ns.map(digits), log_ratios: logs.map(digits) });
  return {
    kind: "slidebench browser result", schema: 1, cpu, browser, clock, module, trace, started, seconds, seed: plan.seed,
    reference: REFERENCE, margin: MARGIN,
    cells: cells.map(({ pressure, rounds, contenders }) =>
      ({ workload: WORKLOAD, pressure, rounds, contenders: contenders.map(kept) })),
  };
}

// The least module that needs SIMD128: a type of functions that take a v128.
const simdModule = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 1, 123, 0);
const hiddenWords = "The page went to the background, where browsers throttle: the run has ended and counts nothing. " +
  "Keep the tab in sight.";
const stoppedWords = "Stopped: nothing was counted.";
let running = null, lastRace = null;

/** What is missing for a measurement, one line; null where all is there. */
function missing() {
  if (typeof measured === "undefined") return "The file measure.js, which has the methods' code, is missing: nothing can be measured.";
  const isAble = globalThis.WebAssembly?.validate(simdModule) && typeof DecompressionStream !== "undefined";
  return isAble ? null : "This browser lacks WebAssembly with SIMD128, vectors of 128 bits, or DecompressionStream, which unpacks the " +
    "methods: nothing can be measured. Use a newer one.";
}

function tell(text, isBad = false) {
  byId("status").textContent = text;
  byId("status").className = isBad ? "banner bad" : "";
}

/** Runs a task in a worker of its own; returns what it found. Error: it failed, or was stopped. */
function inWorker(task, given, onProgress, signal) {
  const address = URL.createObjectURL(new Blob([measured.worker], { type: "text/javascript" }));
  const worker = new Worker(address);
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.onerror = () => reject(new Error("The worker does not start in this browser: nothing was measured."));
    worker.onmessage = ({ data: { done, error, progress } }) => {
      if (error !== undefined) reject(new Error(error));
      else if (done !== undefined) resolve(done);
      else onProgress(progress);
    };
    worker.postMessage({ task, moduleBytes: bytesOf(measured.module), traceBytes: bytesOf(measured.trace), ...given });
  }).finally(() => {
    worker.terminate();
    URL.revokeObjectURL(address);
  });
}

/** Verifies, then races; returns {started, seconds, plan, clock, cells}. Error, one line: nothing was measured, and why. */
async function measure(seconds, signal) {
  const started = new Date().toISOString(), show = (share) => { byId("progress").value = share; };
  tell("Verifying every method on every square and every relevant subset of occupancy.");
  const { methods, stepMs, isolated } = await inWorker("check", {}, show, signal);
  const twins = 1, [seed] = crypto.getRandomValues(new Uint32Array(1));
  const plan = { ...planFor(stepMs, seconds, methods.length + twins), methods, reference: REFERENCE, cells: CELLS,
                 rounds: Infinity, seed };
  const starts = [];
  while (starts.length < plan.starts) {
    const done = starts.length, own = { ...plan, seed: (seed + done) >>> 0 };
    tell(`All ${methods.length - 1} methods answer rightly. Measuring, start ${done + 1} of ${plan.starts}.`);
    starts.push(await inWorker("race", { plan: own }, (share) => show((done + share) / plan.starts), signal));
  }
  const clock = { step_ms: stepMs, sample_ms: plan.sampleMs, cross_origin_isolated: isolated };
  const cells = await inWorker("judge", { plan, starts, margin: MARGIN }, show, signal);
  return { started, seconds, plan, clock, cells: cells.map((cell) => ({ ...cell, rows: rowsOf(cell) })) };
}

/** What is shown of a cell, fastest first: all but the twin; `time` is the mean over starts, ns a query. */
const rowsOf = ({ contenders }) => contenders.filter(({ role }) => role !== "twin").sort((a, b) => a.ratio - b.ratio)
  .map((row) => ({ ...row, time: row.ns.reduce((sum, each) => sum + each, 0) / row.ns.length }));

const titleOf = (pressure) => byId(`${pressure}-title`).textContent;

/** The committed machines in a cell, as `fillTable` takes them. */
function machinesIn(pressure) {
  return data.machines.map(({ name, ratios }) => ({ name, ratios: new Map(Object.entries(ratios[pressure] ?? {})) }));
}

/** Draws the rankings of the last race, as wide as there is room. */
function drawRankings() {
  for (const { pressure, rows } of lastRace?.cells ?? []) drawRanking(byId(`${pressure}-plot`), titleOf(pressure), rows);
}

/** Fills the tables: of the committed machines, and of the last race where there was one. */
function fillTables() {
  for (const pressure of CELLS) {
    const cell = lastRace?.cells.find((each) => each.pressure === pressure);
    fillTable(byId(`${pressure}-table`), cell?.rows ?? [], machinesIn(pressure));
  }
}

/** The answers of the last race, and what its clock allowed. */
function showAnswer() {
  const item = (cell) => {
    const { what, rest, isShown } = answerOf(cell), parts = [["title", titleOf(cell.pressure)], ["", what], ["rest", rest]];
    return make("li", { className: isShown ? "sure" : "" },
      ...parts.map(([className, textContent]) => make("span", { className, textContent })));
  };
  byId("answers").replaceChildren(...lastRace.cells.map(item));
  byId("clock").textContent = clockWords(lastRace);
}

function clockWords({ clock, plan, cells }) {
  const isolated = clock.cross_origin_isolated ? "isolated" : "not isolated, so that browsers make it coarse";
  const rounds = cells[0].rounds.reduce((sum, count) => sum + count, 0), step = 100 * clock.step_ms / clock.sample_ms;
  const bounds = cells.map(({ bound }) => changeText(1 + bound)).join(" and ");
  return `The clock moves in steps of ${msText(clock.step_ms)} (this page is ${isolated}). A sample takes ` +
    `${msText(clock.sample_ms)}, of which a step is ${Number(step.toPrecision(2))} %; means are over ${rounds} rounds in ` +
    `${plan.starts} starts of a worker. Identical code, timed twice, differed by at most ${bounds}: smaller differences are not ` +
    "significant.";
}

/** Measures from the press of the button to the drawing, or to the line that says why not. */
async function runRace() {
  running = new AbortController();
  lastRace = null;
  byId("measure").textContent = "Stop (Escape)";
  byId("progress").hidden = false;
  byId("outcome").hidden = true;
  try {
    if (document.hidden) throw new Error(hiddenWords);
    lastRace = await measure(secondsOf(location.search), running.signal);
    showAnswer();
    tell("Done.");
  } catch (error) {
    tell(error.message, true);
  }
  running = null;
  byId("measure").textContent = lastRace ? "Measure again" : "Measure in this browser";
  byId("progress").hidden = true;
  byId("outcome").hidden = !lastRace;
  drawRankings();
  fillTables();
}

const stopRace = (words) => running?.abort(new Error(words));

/** Hands the last race out as a file. */
async function saveRace() {
  const result = resultFile(lastRace, await describeBrowser(navigator), byId("cpu").value.trim());
  const name = `slidebench ${result.browser.name} ${result.started.slice(0, 10)}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const href = URL.createObjectURL(new Blob([`${JSON.stringify(result, null, 1)}\n`], { type: "application/json" }));
  make("a", { href, download: `${name}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** Starts the page that measures. */
export function startMeasure() {
  const fault = missing();
  if (fault) tell(fault, true);
  byId("measure").disabled = Boolean(fault);
  if (typeof measured === "undefined") return;
  byId("measure").addEventListener("click", () => running ? stopRace(stoppedWords) : runRace());
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") stopRace(stoppedWords); });
  document.addEventListener("visibilitychange", () => { if (document.hidden) stopRace(hiddenWords); });
  byId("save").addEventListener("click", saveRace);
  addEventListener("resize", drawRankings);
  fillTables();
}
