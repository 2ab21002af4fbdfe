// SPDX-License-Identifier: MIT
//
// A process run: a fresh engine loads module and trace, verifies, and takes samples. The same for node and for a page.
import { clockStep, rounds } from "./rounds.mjs";
import { openSuite } from "./suite.mjs";

/**
 * plan: as of rounds(), with {verify: whether every method is verified first} and `methods` empty for all of the module.
 * Returns {methods, clock_step_ms, samples}. Error, in one line: wrong answers, a name that is not there, no SIMD128.
 */
export async function processRun(moduleBytes, traceBytes, plan, now, cpu = now) {
  const suite = await openSuite(moduleBytes, traceBytes, plan.seed);
  const ids = plan.methods.length > 0 ? plan.methods : suite.methods.map((method) => method.id);
  const chosen = { ...plan, methods: [...new Set(["empty", plan.reference, ...ids])] };
  if (plan.verify) verify(suite, chosen.methods);
  const samples = [...rounds(suite, chosen, now, cpu)];
  const methods = suite.methods.filter((method) => chosen.methods.includes(method.id));
  return { methods, clock_step_ms: clockStep(cpu), samples };
}

function verify(suite, ids) {
  for (const id of ids.filter((name) => name !== "empty")) {
    const wrong = suite.verify(suite.find("methods", id));
    if (wrong > 0) throw new Error(`${id} gave ${wrong} wrong answers to its verification; mend it`);
  }
}
