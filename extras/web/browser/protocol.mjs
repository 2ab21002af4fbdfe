// SPDX-License-Identifier: MIT
//
// What is measured, and for how long, by what the browser's clock can tell. Imports nothing.

export const REFERENCE = "magic_fancy", MARGIN = 0.01;
export const CELLS = [["throughput", "isolated"], ["throughput", "net1024"]];

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
    throw new Error(`The clock of this browser moves in steps of ${shown(stepMs)}, too coarse for ${seconds} seconds: ` +
                    "nothing was measured. Switch off its protection against fingerprinting for this page, or add " +
                    `?seconds=${Math.ceil(leastMs / mostOverrun / 1000)} to the address.`);
  const starts = Math.min(mostStarts, Math.max(leastStarts, Math.floor(1000 * seconds / startMs)));
  return { sampleMs, warmUpMs, compileMs: Math.max(compileMs, warmUpMs), leastRounds: leastRounds - 1, starts,
           startMs: 1000 * seconds / starts };
}

/** A time in ms as people read it. */
export const shown = (ms) => ms < 1 ? `${Number((1000 * ms).toPrecision(2))} \u00b5s` : `${Number(ms.toPrecision(2))} ms`;

/** The seconds that the page's address asks for (?seconds=N), 30 without. Error, one line: no number from 1 to 600. */
export function secondsOf(search) {
  const asked = new URLSearchParams(search).get("seconds") ?? "30";
  if (!/^\d{1,3}$/.test(asked) || asked < 1 || asked > 600)
    throw new Error(`?seconds=${asked.slice(0, 20)} in the address is no whole number from 1 to 600; change it or ` +
                    "leave it out.");
  return Number(asked);
}
