// SPDX-License-Identifier: MIT
//
// Asks every method of the module some queries, and prints as JSON what they read.
//
// Usage: node count.mjs MODULE PLACES < QUERIES      QUERIES is a list of [kind, square, occupied as hexadecimal text]
import { readFileSync } from "node:fs";
import { openAtlas } from "./atlas.mjs";

const LINE_BYTES = 64;
const fail = (error) => { process.stderr.write(`${error.message}\n`); process.exit(2); };

/** A method with what the queries read: loads of tables a query, lines that all of them touch, wrong answers. */
function counted(atlas, method, queries) {
  const lines = new Set();
  let reads = 0, wrong = 0;
  for (const { kind, square, occupied } of queries) {
    const { answer, events } = atlas.ask(method, kind, square, occupied);
    if (answer !== atlas.reference(kind, square, occupied)) ++wrong;
    for (const { read, value } of events) {
      if (value && !atlas.places[value.place])
        throw new Error(`${method.id} has a value at place ${value.place}, which PLACES has not`);
      if (!read) continue;
      ++reads;
      for (let line = Math.floor(read.offset / LINE_BYTES); line * LINE_BYTES < read.offset + read.bytes; ++line)
        lines.add(`${read.table}:${line}`);
    }
  }
  return { ...method, reads: reads / queries.length, lines: lines.size, wrong };
}

try {
  const [module, places] = process.argv.slice(2).map((path) => readFileSync(path));
  const atlas = await openAtlas(module, JSON.parse(places));
  const query = ([kind, square, occupied]) => ({ kind, square, occupied: BigInt(`0x${occupied}`) });
  const queries = JSON.parse(readFileSync(0)).map(query);
  process.stdout.write(JSON.stringify(atlas.methods.map((method) => counted(atlas, method, queries))));
} catch (error) {
  fail(error);
}
