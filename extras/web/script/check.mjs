// SPDX-License-Identifier: MIT
//
// Asks every method of the module on seeded boards: node check.mjs MODULE PLACES, the steps (steps.py json) on standard input.
// Checked are the answers, that reads lie within tables, that each step is computed by some query and a product is that of its
// factors, and that the last step of a bishop or a rook is the answer. Exit status 1, and a line for each fault, if not.
import { readFileSync } from "node:fs";
import { openAtlas } from "./atlas.mjs";

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
    this.at = new Map(); // place -> steps
    for (const step of steps) for (const place of step.places) this.at.set(place, [...(this.at.get(place) ?? []), step]);
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
    let last = null;
    const words = new Map(); // of what was computed last, by function and expression
    for (const { read, value } of events) {
      if (read && !isWithin(read, method.tables)) this.fault(method, query, "a read beyond a table");
      if (!value) continue;
      const { function: name, text } = this.atlas.places[value.place];
      words.set(`${name} ${text}`, value.words[0]);
      const step = this.stepOf(value, query.kind, words);
      if (step) last = { step, value };
    }
    if (last === null || query.kind === "queen") return;
    if (last.value.words.length === 1 && last.value.words[0] === answer) return;
    const { file, line, function: name, expression } = last.step;
    this.faults.add(`${file}:${line}: ${method.id}, ${query.kind}: ${name} | ${expression} is the last step, and not the answer`);
  }

  /** The step that says something of a value in the query of a slider. */
  stepOf({ place, words: [word] }, kind, words) {
    const steps = (this.at.get(place) ?? []).filter((each) => each.kind === null || each.kind === kind || kind === "queen");
    const step = steps.find((each) => each.factors === null || this.product(each, words) === word);
    if (step) this.computed.add(step);
    return step;
  }

  /** What a step's factors give, as far as they were computed. */
  product({ function: name, factors }, words) {
    const [a, b] = factors.map((text) => (text.startsWith("0x") ? BigInt(text) : words.get(`${name} ${text}`)));
    return a === undefined || b === undefined ? null : BigInt.asUintN(64, a * b);
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
