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

class Check {
  constructor(atlas, steps) {
    this.atlas = atlas;
    this.steps = steps;
    this.faults = new Set();
    this.computed = new Set();
    this.asked = 0;
    const stepsAt = atlas.places.map(() => []);
    for (const step of steps) for (const place of step.places) stepsAt[place].push(step);
    this.described = { places: atlas.places.map(({ function: name, text }) => [name, text]), stepsAt };
  }

  fault(method, query, what) {
    this.faults.add(`${method.id}: ${query.kind} on ${query.square}, 0x${query.occupied.toString(16)}: ${what}`);
  }

  answer(method, query) {
    ++this.asked;
    const { kind, square, occupied } = query;
    const { answer, events } = this.atlas.ask(method, kind, square, occupied);
    if (answer !== this.atlas.reference(kind, square, occupied)) this.fault(method, query, "a wrong answer");
    return { answer, events };
  }

  look(method, query) {
    const { answer, events } = this.answer(method, query);
    const isBeyond = ({ read }) => read && !isWithin(read, method.tables);
    if (events.some(isBeyond)) this.fault(method, query, "a read beyond a table");
    const found = stepsOf(events, this.described, query.kind), last = found.at(-1);
    for (const { step } of found) this.computed.add(step);
    if (!last || query.kind === "queen") return;
    const { words } = last.values.at(-1), { file, line, function: name, expression } = last.step;
    if (words.length === 1 && words[0] === answer) return;
    this.faults.add(`${file}:${line}: ${method.id}, ${query.kind}: ${name} | ${expression} is the last step, and not the answer`);
  }

  all() {
    for (const method of this.atlas.methods) {
      for (const query of queries(answered)) this.answer(method, query);
      for (const query of queries(looked)) this.look(method, query);
    }
    for (const step of this.steps) {
      const { file, line, function: name, expression } = step;
      if (!this.computed.has(step)) this.faults.add(`${file}:${line}: no query computes ${name} | ${expression}, or its factors`);
    }
  }
}

const [module, places] = process.argv.slice(2).map((path) => readFileSync(path));
const check = new Check(await openAtlas(module, JSON.parse(places)), JSON.parse(readFileSync(0, "utf8")));
check.all();
process.stderr.write([...check.faults].map((line) => `${line}\n`).join(""));
process.stdout.write(`${check.asked} queries of ${check.atlas.methods.length} methods\n`);
process.exitCode = check.faults.size > 0 ? 1 : 0;
