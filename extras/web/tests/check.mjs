// SPDX-License-Identifier: MIT
//
// Asks every method of the module on seeded boards: node check.mjs MODULE PLACES, the steps as JSON on standard input.
// Checked are the answers, that reads lie within tables, that each step is computed by some query and a product is that of its
// factors, and that the last step of a bishop or a rook is the answer. Exit status 1, and a line for each fault, if not.
import { readFileSync } from "node:fs";
import { openAtlas } from "../script/atlas.mjs";
import { stepsOf } from "../script/steps.mjs";

const kinds = ["bishop", "rook", "queen"];
const answered = 16; // boards for the answers
const looked = 4; // boards for what is read and computed as well
const full = (1n << 64n) - 1n;

/** Boards of falling density, with the empty and the full one first. */
function* boards(count) {
  let state = 0x9e3779b97f4a7c15n;
  const next = () => {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    return (state ^= BigInt.asUintN(64, state << 17n));
  };
  yield* [0n, full];
  for (let i = 2; i < count; ++i) yield Array.from({ length: 1 + (i % 3) }, next).reduce((both, word) => both & word);
}

function* queries(count) {
  for (const occupied of boards(count)) {
    for (let square = 0; square < 64; ++square) for (const kind of kinds) yield { kind, square, occupied };
  }
}

const isWithin = ({ table, offset, bytes }, tables) => table < tables.length && offset + bytes <= tables[table].bytes;

const [module, places] = process.argv.slice(2).map((path) => readFileSync(path));
const atlas = await openAtlas(module, JSON.parse(places)), steps = JSON.parse(readFileSync(0, "utf8"));
const stepsAt = atlas.places.map(() => []);
for (const step of steps) for (const place of step.places) stepsAt[place].push(step);
const described = { places: atlas.places.map(({ function: name, text }) => [name, text]), stepsAt };
const faults = new Set(), computed = new Set();
let asked = 0;

function ask(method, { kind, square, occupied }) {
  ++asked;
  const { answer, events } = atlas.ask(method, kind, square, occupied);
  const fault = (what) => faults.add(`${method.id}: ${kind} on ${square}, 0x${occupied.toString(16)}: ${what}`);
  if (answer !== atlas.reference(kind, square, occupied)) fault("a wrong answer");
  return { answer, events, fault };
}

function look(method, query) {
  const { answer, events, fault } = ask(method, query);
  if (events.some(({ read }) => read && !isWithin(read, method.tables))) fault("a read beyond a table");
  const found = stepsOf(events, described, query.kind), last = found.at(-1);
  for (const { step } of found) computed.add(step);
  if (!last || query.kind === "queen") return;
  const { words } = last.values.at(-1), { file, line, function: name, expression } = last.step;
  if (words.length === 1 && words[0] === answer) return;
  faults.add(`${file}:${line}: ${method.id}, ${query.kind}: ${name} | ${expression} is the last step, and not the answer`);
}

for (const method of atlas.methods) {
  for (const query of queries(answered)) ask(method, query);
  for (const query of queries(looked)) look(method, query);
}
for (const step of steps.filter((each) => !computed.has(each))) {
  const { file, line, function: name, expression } = step;
  faults.add(`${file}:${line}: no query computes ${name} | ${expression}, or its factors`);
}
process.stderr.write([...faults].map((line) => `${line}\n`).join(""));
process.stdout.write(`${asked} queries of ${atlas.methods.length} methods\n`);
process.exitCode = faults.size > 0 ? 1 : 0;
