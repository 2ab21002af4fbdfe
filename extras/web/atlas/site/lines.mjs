// SPDX-License-Identifier: MIT
//
// Cache lines that queries touch, in a fully associative cache that evicts the least recently used one (LRU).

export const LINE_BYTES = 64;

/** The cache lines of a read, as "table:line". */
export function linesOf({ table, offset, bytes }) {
  const first = Math.floor(offset / LINE_BYTES), last = Math.floor((offset + bytes - 1) / LINE_BYTES);
  return Array.from({ length: last - first + 1 }, (_, i) => `${table}:${first + i}`);
}

/** All lines that were touched, and how many other lines were touched since. */
export class LineHistory {
  depths = new Map();
  before = new Set(); // lines of the query before
  now = new Set();    // lines of the last query

  /**
   * A query: its reads in their order, after `between` lines of something else.
   * @returns the reads, each with `lines`, a list of {name, depth, inBefore}: depth is the number of other lines touched since
   *     this one was, Infinity where it never was
   */
  query(reads, between = 0) {
    for (const [name, depth] of this.depths) this.depths.set(name, depth + between);
    this.before = this.now;
    this.now = new Set();
    return reads.map((read) => ({ ...read, lines: linesOf(read).map((name) => this.#touch(name)) }));
  }

  #touch(name) {
    const depth = this.depths.get(name) ?? Infinity;
    for (const [other, since] of this.depths) if (since < depth) this.depths.set(other, since + 1);
    this.depths.set(name, 0);
    this.now.add(name);
    return { name, depth, inBefore: this.before.has(name) };
  }

  /** "now", "cached" or "evicted" for a line that was touched, of a cache of so many lines; "never" for another. */
  stateOf(name, capacity) {
    if (this.now.has(name)) return "now";
    const depth = this.depths.get(name);
    return depth === undefined ? "never" : depth < capacity ? "cached" : "evicted";
  }
}
