// SPDX-License-Identifier: MIT
//
// What runs in a worker of the page that measures, and in node: the module with names instead of addresses; rounds of samples as
// `slidebench run` takes them; and the tasks: check, race (one start), judge (by the native program's estimator).
import { textAt, unpacked } from "./module.mjs";

const UNSIGNED = (sum) => BigInt.asUintN(64, sum);

/** Loads module and trace (each a Uint8Array, gzip or not); `seed` lays the pressures out. Error: one line on what is wrong. */
export async function openSuite(moduleBytes, traceBytes, seed) {
  const module = (await compiled(await unpacked(moduleBytes))).exports;
  module._initialize();
  const suite = new Suite(module);
  suite.openTrace(await unpacked(traceBytes));
  module.prepare(seed);
  return suite;
}

async function compiled(bytes) {
  try {
    return (await WebAssembly.instantiate(bytes)).instance;
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new Error(`this engine does not compile the module, which needs SIMD128: ${error.message}`);
  }
}

class Suite {
  constructor(module) {
    const names = (count, name) => Array.from({ length: count }, (_, i) => textAt(module, name(i)));
    this.module = module;
    this.pressures = names(module.pressures(), module.pressure_name);
    this.methods = names(module.methods(), module.method_id);
  }

  openTrace(bytes) {
    const room = this.module.trace_room(bytes.length);
    if (room === 0) throw new Error(`no memory for a trace of ${bytes.length} bytes; use a shorter one`);
    new Uint8Array(this.module.memory.buffer, room, bytes.length).set(bytes);
    const fault = this.module.open_trace();
    if (fault !== 0) throw new Error(`the trace ${textAt(this.module, fault)}; make one by slidebench trace build`);
  }

  /** The sum that one pass of a right method gives, a BigInt. */
  expected(segment) {
    return UNSIGNED(this.module.expected(segment));
  }

  /** What is timed: so many passes over a segment. The sum of the answers, a BigInt. */
  replay(method, pressure, segment, passes) {
    return UNSIGNED(this.module.replay(method, pressure, segment, passes));
  }

  #fill(values) {
    const room = this.module.numbers_room(values.length);
    new Float64Array(this.module.memory.buffer, room, values.length).set(values);
  }

  trimmed(values) {
    this.#fill(values);
    return this.module.trimmed();
  }

  /**
   * Judges a cell (wasm/estimate.cpp): `rows` has for the reference, its twin, the empty loop and each method the log ratios, one a
   * start. Returns {bound, isSound, rows}, a row is {ratio, ratio_low, ratio_high, verdict, best}.
   */
  judge(rows, margin) {
    this.#fill(rows.flat());
    const at = this.module.judge(rows[0].length, margin), width = 5;
    const [bound, sound, ...found] = new Float64Array(this.module.memory.buffer, at, 2 + width * rows.length);
    const judged = rows.map((_, row) => {
      const [value, low, high, verdict, best] = found.slice(width * row, width * (row + 1));
      const name = textAt(this.module, this.module.verdict_name(verdict));
      return { ratio: Math.exp(value), ratio_low: Math.exp(low), ratio_high: Math.exp(high), verdict: name, best: best === 1 };
    });
    return { bound, isSound: sound === 1, rows: judged };
  }
}

/** A seeded generator of numbers in [0, 2^32): xorshift32, by G. Marsaglia (Xorshift RNGs, 2003). */
function generator(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

function shuffled(list, random) {
  const order = [...list];
  for (let i = order.length - 1; i > 0; --i) {
    const j = random() % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Runs a contender for about so many milliseconds, once at least; returns ms per query. */
function warmUp(suite, { method, pressure, segment, queries }, milliseconds, now) {
  const start = now();
  let passes = 0, took = 0;
  do {
    suite.replay(method, pressure, segment, 1);
    ++passes;
    took = now() - start;
  } while (took < milliseconds);
  return took / (passes * queries);
}

/**
 * Measures; yields samples {round, contender, cell, queries, ms}. In a round all contenders replay the same segment, each after a
 * warm-up of its own, in random order; the twin is the reference once more.
 *
 * plan: {methods: [id, ...], reference: id, cells: [pressure, ...], rounds, sampleMs, warmUpMs, compileMs, seed}. Round -1 is
 * there for the browser, which compiles what it sees running: its warm-ups take compileMs, and its samples are not given. How many
 * passes make a sample is by the contender's quickest pace so far: whatever else ran during a warm-up must not shorten it.
 * Error, in one line: a sum of answers that is wrong.
 */
export function* rounds(suite, plan, now) {
  const random = generator(plan.seed), paces = new Map();
  const contenders = [...plan.methods, `${plan.reference}.twin`];
  for (let round = -1; round < plan.rounds; ++round) {
    for (const cell of shuffled(plan.cells, random)) {
      const segment = random() % suite.module.segments(), queries = suite.module.queries(segment);
      const expected = suite.expected(segment), pressure = suite.pressures.indexOf(cell);
      for (const contender of shuffled(contenders, random)) {
        const method = suite.methods.indexOf(contender.replace(".twin", "")), key = `${cell} ${contender}`;
        const asked = { method, pressure, segment, queries };
        const pace = warmUp(suite, asked, round < 0 ? plan.compileMs : plan.warmUpMs, now);
        paces.set(key, Math.min(paces.get(key) ?? Infinity, pace));
        const passes = Math.max(1, Math.round(plan.sampleMs / (paces.get(key) * queries)));
        const start = now(), sum = suite.replay(method, pressure, segment, passes), ms = now() - start;
        if (contender !== "empty" && sum !== UNSIGNED(expected * BigInt(passes)))
          throw new Error(`${contender} gave wrong answers in ${cell}: another sum than the oracle's`);
        if (round >= 0) yield { round, contender, cell, queries: passes * queries, ms };
      }
    }
  }
}

/** The steps that a clock really takes, in ms: the smallest difference between two readings that differ. */
export function clockStep(now) {
  let step = Infinity;
  for (let tries = 0; tries < 50; ++tries) {
    const start = now();
    let end = start;
    while (end === start) end = now();
    step = Math.min(step, end - start);
  }
  return step;
}

const workerNow = () => performance.now();

/** Verifies every method and looks at the clock. */
async function check({ suite }) {
  const methods = suite.methods.filter((id) => id !== "empty");
  for (const [i, id] of methods.entries()) {
    const wrong = suite.module.verify(suite.methods.indexOf(id));
    if (wrong !== 0) throw new Error(`${id} gave ${wrong} wrong answers here: nothing was measured. Please report it.`);
    postMessage({ progress: (i + 1) / methods.length });
  }
  return { methods: suite.methods, stepMs: clockStep(workerNow), isolated: self.crossOriginIsolated };
}

/** How much longer than its time a start may take. */
const patienceMs = 20_000;
const busyWords = "This device is too busy with other things: nothing was counted. Close them and try again.";

/** Whether every contender has been timed next to the reference in so many rounds of every cell. */
export function haveRounds(samples, { cells, methods, reference, leastRounds }) {
  const place = ({ cell, round }) => `${cell} ${round}`, counts = new Map(), twins = 1;
  const paired = new Set(samples.filter(({ contender }) => contender === reference).map(place));
  for (const sample of samples.filter((each) => paired.has(place(each)))) {
    const key = `${sample.cell} ${sample.contender}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts.size === cells.length * (methods.length + twins) && Math.min(...counts.values()) >= leastRounds;
}

/**
 * Measures whole rounds for plan.startMs, then gives its samples {cell, contender, round, ns}. What was cut short, because
 * something else ran during the warm-up, is left out: the clock cannot tell it.
 */
async function race({ suite, plan }) {
  const start = workerNow(), samples = [];
  let last = 0;
  for (const { round, contender, cell, queries, ms } of rounds(suite, plan, workerNow)) {
    if (round > last) {
      last = round;
      const took = workerNow() - start;
      postMessage({ progress: Math.min(1, took / plan.startMs) });
      if (took >= plan.startMs && haveRounds(samples, plan)) break;
      if (took >= plan.startMs + patienceMs) throw new Error(busyWords);
    }
    if (ms >= 0.5 * plan.sampleMs) samples.push({ cell, contender, round, ns: 1e6 * ms / queries });
  }
  return samples;
}

/** A contender's times in a start: trimmed means over rounds of ns a query, and of the log ratio to the reference. */
function timesIn(suite, samples, reference, contender) {
  const of = (id) => new Map(samples.filter((each) => each.contender === id).map(({ round, ns }) => [round, ns]));
  const own = of(contender), paired = of(reference);
  const logs = [...own].filter(([round]) => paired.has(round)).map(([round, ns]) => Math.log(ns / paired.get(round)));
  return { ns: suite.trimmed([...own.values()]), log: suite.trimmed(logs) };
}

/**
 * Judges a race. starts: a list of samples each, of `race`. Returns for each of plan.cells {pressure, rounds, bound, isSound,
 * contenders}, a contender is {contender, role, ns, logs, ratio, ratio_low, ratio_high, verdict, best}; ns and logs one a start.
 */
export async function judge({ suite, plan, starts, margin }) {
  const ids = plan.methods.filter((id) => id !== plan.reference && id !== "empty");
  const contenders = [plan.reference, `${plan.reference}.twin`, "empty", ...ids], roles = ["reference", "twin", "empty"];
  return plan.cells.map((pressure) => {
    const own = starts.map((samples) => samples.filter(({ cell }) => cell === pressure));
    const times = contenders.map((id) => own.map((samples) => timesIn(suite, samples, plan.reference, id)));
    const { rows, ...said } = suite.judge(times.map((each) => each.map(({ log }) => log)), margin);
    const verdicts = { reference: "reference", twin: "", empty: "" };
    return { pressure, ...said, rounds: own.map((samples) => new Set(samples.map(({ round }) => round)).size),
             contenders: rows.map((row, i) => ({ ...row, contender: contenders[i], role: roles[i] ?? "method",
               verdict: verdicts[roles[i]] ?? row.verdict, ns: times[i].map(({ ns }) => ns), logs: times[i].map(({ log }) => log) })) };
  });
}

globalThis.onmessage = async ({ data: { task, moduleBytes, traceBytes, ...given } }) => {
  try {
    const suite = await openSuite(moduleBytes, traceBytes, given.plan?.seed ?? 1);
    postMessage({ done: await { check, race, judge }[task]({ suite, ...given }) });
  } catch (error) {
    postMessage({ error: error.message });
  }
};
