// SPDX-License-Identifier: MIT
//
// What a query reads: its reads in their order with their cache lines, and which of the lines the query before touched too.

export const LINE_BYTES = 64;

/** The cache lines of a read, as "table:line". */
export function linesOf({ table, offset, bytes }) {
  const first = Math.floor(offset / LINE_BYTES), last = Math.floor((offset + bytes - 1) / LINE_BYTES);
  return Array.from({ length: last - first + 1 }, (_, i) => `${table}:${first + i}`);
}

/** The reads of a query as a table; `label` names the query. */
export function readsTable(tables, reads, label) {
  const rows = reads.map((read, number) => makeRow([number + 1, tables[read.table].name, read.offset.toLocaleString("en"), read.bytes,
    linesOf(read).map((name) => name.split(":")[1]).join(", ")]));
  return makeTable(`Reads of ${label}`, ["read", "table", "offset", "bytes", "cache line"], rows);
}

/** The reads of a method's queries, in an element: returns {draw}; draw(tables, reads, label) shows a query, `label` names it. */
export function createReads(host) {
  let before = null;
  const draw = (tables, reads, label) => {
    const table = reads.length ? readsTable(tables, reads, label) : make("p", {}, "This query reads no table.");
    host.replaceChildren(table, make("p", { className: "said" }, sharing(tables, reads, label, before)));
    before = { label, lines: new Set(reads.flatMap(linesOf)) };
  };
  return { draw };
}

/** How many lines a query has, and which of them the one before touched too. */
function sharing(tables, reads, label, before) {
  const lines = [...new Set(reads.flatMap(linesOf))];
  if (lines.length === 0) return "";
  const all = `${label} touches ${counted(lines.length, "cache line")}`;
  if (!before) return `${all}. Move the slider, and its lines are compared with these.`;
  const shared = lines.filter((name) => before.lines.has(name));
  const named = shared.map((name) => `${tables[name.split(":")[0]].name} ${name.split(":")[1]}`).join(", ");
  return `${all}; ${shared.length || "none"} shared with the query before, ${before.label}${named ? `: ${named}` : ""}.`;
}
