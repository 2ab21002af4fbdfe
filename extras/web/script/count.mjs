// SPDX-License-Identifier: MIT
//
// Asks every method of the module some queries, and prints as JSON what they read.
//
// Usage: node count.mjs MODULE PLACES POSITIONS COUNT      POSITIONS is a file of FENs, of which the first COUNT queries are asked
import { readFileSync } from "node:fs";
import { openAtlas } from "./atlas.mjs";
import { linesOf } from "./reads.mjs";
import { boardOf, piecesOf } from "./squares.mjs";

const KIND_OF = { b: "bishop", r: "rook", q: "queen" };

/** A query for each slider of either side of a position, by square. */
function queriesOf(fen) {
  const pieces = piecesOf(fen), occupied = boardOf(pieces.keys());
  const sliders = [...pieces].filter(([, piece]) => KIND_OF[piece.toLowerCase()]).sort(([a], [b]) => a - b);
  return sliders.map(([square, piece]) => ({ kind: KIND_OF[piece.toLowerCase()], square, occupied }));
}

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
      for (const line of linesOf(read)) lines.add(line);
    }
  }
  return { ...method, reads: reads / queries.length, lines: lines.size, wrong };
}

try {
  const [module, places, positions] = process.argv.slice(2, 5).map((path) => readFileSync(path));
  const atlas = await openAtlas(module, JSON.parse(places));
  const queries = String(positions).trim().split("\n").flatMap(queriesOf).slice(0, Number(process.argv[5]));
  process.stdout.write(JSON.stringify(atlas.methods.map((method) => counted(atlas, method, queries))));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
