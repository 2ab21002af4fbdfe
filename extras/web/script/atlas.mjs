// SPDX-License-Identifier: MIT
//
// The atlas's module with names instead of addresses. Imports nothing: for node and pages alike.

import { textAt, unpacked } from "./module.mjs";

const kinds = ["bishop", "rook", "queen"];
const types = ["number", "board", "vector"];
const eventBytes = 80;

/** Loads a module (a Uint8Array, gzip or not); `places` is what places.json has. */
export async function openAtlas(bytes, places) {
  const { instance } = await WebAssembly.instantiate(await unpacked(bytes));
  instance.exports._initialize();
  return new Atlas(instance.exports, places);
}

const board = (word) => BigInt.asUintN(64, word);

function kindNumber(kind) {
  const number = kinds.indexOf(kind);
  if (number < 0) throw new Error(`there is no slider '${kind}'; use one of ${kinds.join(", ")}`);
  return number;
}

class Atlas {
  constructor(module, places) {
    this.module = module;
    this.places = places;
    this.methods = Array.from({ length: module.methods() }, (_, index) => this.describe(index));
  }

  describe(index) {
    const text = (name) => textAt(this.module, this.module[`method_${name}`](index));
    return {
      index,
      id: text("id"),
      title: text("title"),
      family: text("family"),
      inventor: text("inventor"),
      reference: text("reference"),
      year: this.module.method_year(index),
      isa: text("isa"),
      tables: Array.from({ length: this.module.tables(index) }, (_, table) => ({
        name: textAt(this.module, this.module.table_name(index, table)),
        bytes: this.module.table_bytes(index, table),
      })),
    };
  }

  /** The method of this id. Error: there is none. */
  method(id) {
    const found = this.methods.find((method) => method.id === id);
    if (!found) throw new Error(`there is no method '${id}'; there are ${this.methods.map((each) => each.id).join(", ")}`);
    return found;
  }

  /**
   * A query of a slider, "bishop", "rook" or "queen", on a square (a1 is 0, h8 is 63), `occupied` a BigInt.
   * Returns { answer, events }; an event is { read: { table, offset, bytes } }, with the table's index and bytes from its start,
   * or { value: { place, words, type } }, with an index into `places`, BigInts of 64 bits, and "number", "board" or "vector".
   */
  ask(method, kind, square, occupied) {
    const answer = board(this.module.ask(method.index, kindNumber(kind), square, occupied));
    return { answer, events: this.events() };
  }

  events() {
    const memory = new DataView(this.module.memory.buffer);
    const start = this.module.event_room();
    return Array.from({ length: this.module.events() }, (_, i) => event(memory, start + eventBytes * i));
  }

  /** The attacks by ray walking, a BigInt. */
  reference(kind, square, occupied) {
    return board(this.module.reference(kindNumber(kind), square, occupied));
  }

  /** The relevant occupancy, a BigInt. */
  relevant(kind, square) {
    return board(this.module.relevant(kindNumber(kind), square));
  }
}

function event(memory, at) {
  const [what, id, detail, length] = [0, 4, 8, 12].map((offset) => memory.getUint32(at + offset, true));
  if (what === 0) return { read: { table: id, offset: detail, bytes: length } };
  const words = Array.from({ length }, (_, i) => memory.getBigUint64(at + 16 + 8 * i, true));
  return { value: { place: id, words, type: types[detail] } };
}
