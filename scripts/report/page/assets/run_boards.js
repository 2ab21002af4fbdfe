// SPDX-License-Identifier: MIT
// Misses and different cache lines, square by square.
"use strict";

function drawBoards() {
  const container = byId("boards-plot");
  if (!container) return;
  const here = data.boards.filter(entry => entry.trace === state.cell.trace);
  const entry = here.find(e => e.pressure === state.cell.pressure && e.pages === state.cell.pages) ??
      here.find(e => e.pressure === state.cell.pressure) ?? here[0] ?? data.boards[0];
  const reference = data.arms.find(arm => arm.role === "reference")?.method;
  const shown = [...new Set([state.board, reference])].filter(method => method && entry.methods[method]);
  const boards = shown.flatMap(
      method => ["bishop", "rook"].map(
          piece => ({method, piece, values: entry.methods[method][`${piece} ${state.boardColumn}`]})));
  const most =
      Math.max(...boards.flatMap(board => board.values === 0 ? [0] : board.values.map(value => value ?? 0)), 1e-9);
  const what = state.boardColumn === "l1d_misses" ? "L1D misses a query" : "different cache lines read";
  byId("boards-note").textContent =
      `Simulated, not measured: ${what}; trace ${entry.trace}, pressure ${entry.pressure}, cache ${entry.cache}. ` +
      `The strongest colour is ${said(most)}.`;
  container.replaceChildren();
  for (const board of boards) drawBoard(make(container, "div"), board, most, what);
}

function drawBoard(container, {method, piece, values}, most, what) {
  make(container, "h3", {}, `${method}, ${piece}`);
  const size = 32, label = `${what}: ${method}, ${piece}`;
  const page = {
    svg: draw(
        make(container, "div", {class: "plot"}), "svg",
        {viewBox: `0 0 ${8 * size + 22} ${8 * size + 20}`, role: "img", "aria-label": label})
  };
  for (let square = 0; square < 64; ++square) {
    const value = values === 0 ? 0 : values[square], file = square % 8, rank = square >> 3;
    const x = 18 + file * size, y = (7 - rank) * size, name = "abcdefgh"[file] + (rank + 1);
    draw(page.svg, "rect", {x, y, width: size, height: size, fill: "var(--paper)", stroke: "var(--grid)"});
    explain(
        draw(page.svg, "rect", {
          x,
          y,
          width: size,
          height: size,
          fill: "var(--link)",
          "fill-opacity": value === null ? 0 : 0.9 * value / most
        }),
        value === null ? `${name}: not asked` : `${name}: ${said(value)}`);
  }
  for (let i = 0; i < 8; ++i) {
    draw(page.svg, "text", {x: 4, y: (7.5 - i) * size + 4, class: "quiet"}, String(i + 1));
    draw(
        page.svg, "text", {x: 18 + (i + 0.5) * size, y: 8 * size + 14, class: "quiet", "text-anchor": "middle"},
        "abcdefgh"[i]);
  }
}
