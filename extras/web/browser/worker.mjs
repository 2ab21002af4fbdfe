// SPDX-License-Identifier: MIT
//
// What runs in a worker: a check, or one start of a race. Joined behind suite.mjs and rounds.mjs.

const now = () => performance.now();

/** Verifies every method and looks at the clock. */
async function check({ moduleBytes, traceBytes }) {
  const suite = await openSuite(moduleBytes, traceBytes, 1);
  const methods = suite.methods.filter(({ id }) => id !== "empty");
  for (const [i, { index, id }] of methods.entries()) {
    const wrong = suite.verify(index);
    if (wrong !== 0) throw new Error(`${id} gave ${wrong} wrong answers here: nothing was measured. Please report it.`);
    postMessage({ progress: (i + 1) / methods.length });
  }
  postMessage({ done: { methods: suite.methods, stepMs: clockStep(now), isolated: self.crossOriginIsolated } });
}

/** How much longer than its time a start may take. */
const patienceMs = 20_000;
const busyWords = "This device is too busy with other things: nothing was counted. Close them and try again.";

/** Whether every contender has been timed beside the reference in so many rounds of every cell. */
function haveRounds(samples, { cells, methods, reference, leastRounds }) {
  const place = ({ cell, round }) => `${cell} ${round}`, counts = new Map(), twins = 1;
  const beside = new Set(samples.filter(({ contender }) => contender === reference).map(place));
  for (const sample of samples.filter((each) => beside.has(place(each)))) {
    const key = `${sample.cell} ${sample.contender}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts.size === cells.length * (methods.length + twins) && Math.min(...counts.values()) >= leastRounds;
}

/**
 * Measures whole rounds for plan.startMs, then gives its samples {cell, contender, round, ns}. What was cut short, because
 * something else ran during the warm-up, is left out: the clock cannot tell it.
 */
async function race({ moduleBytes, traceBytes, plan }) {
  const suite = await openSuite(moduleBytes, traceBytes, plan.seed), start = now(), samples = [];
  let round = 0;
  for (const sample of rounds(suite, plan, now)) {
    if (sample.round > round) {
      round = sample.round;
      const took = now() - start;
      postMessage({ progress: Math.min(1, took / plan.startMs) });
      if (took >= plan.startMs && haveRounds(samples, plan)) break;
      if (took >= plan.startMs + patienceMs) throw new Error(busyWords);
    }
    const { workload, pressure, contender, time_ns: time, queries } = sample;
    if (time >= 0.5e6 * plan.sampleMs) samples.push({ cell: `${workload} ${pressure}`, contender, round, ns: time / queries });
  }
  postMessage({ done: samples });
}

onmessage = ({ data: { task, ...given } }) =>
  ({ check, race })[task](given).catch((error) => postMessage({ error: error.message }));
