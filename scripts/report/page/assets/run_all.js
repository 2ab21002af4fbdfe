// SPDX-License-Identifier: MIT
// Draws everything, and again after every change.
"use strict";

function refresh() {
  tip.hidden = true;
  showControls();
  for (const step
           of [drawRanking, drawMisses, drawTable, drawCrossover, drawFootprint, drawCurves, drawBoards, drawOrders,
               drawRounds])
    step();
}

function buildSections() {
  if (byId("crossover-plot")) {
    choose(byId("crossover-controls"), "Sweep", data.sweeps.map((sweep, i) => [String(i), sweep.name]), 0, value => {
      state.sweep = Number(value);
      drawCrossover();
    }, "choose-sweep");
    choose(
        byId("crossover-controls"), "Cost", [["ratio", "ratio to the reference"], ["net", "net ns a query"]],
        "ratio", value => {
          state.crossing = value;
          drawCrossover();
        }, "choose-cost");
  }
  if (byId("curves-plot") && data.misses.some(entry => entry.granularity !== 64)) {
    const found = [...new Set(data.misses.map(entry => entry.granularity))];
    choose(
        byId("curves-controls"), "Granularity",
        found.map(size => [String(size), size === 64 ? "cache lines" : `${sizeText(size)} pages`]), 64, value => {
          state.granularity = Number(value);
          drawCurves();
        }, "choose-granularity");
  }
  if (byId("boards-plot")) {
    const methods = [...new Set(data.boards.flatMap(entry => Object.keys(entry.methods)))].sort();
    const worth = method =>
        data.boards.some(entry => Object.values(entry.methods[method] ?? {}).some(values => values !== 0));
    const useful = methods.filter(worth);
    const best = rowsOf(state.cell).find(row => useful.includes(row.method) && row.role !== "reference");
    state.board = best?.method ?? useful[0] ?? methods[0];
    choose(
        byId("boards-controls"), "Method, beside the reference", useful.map(method => [method, method]),
        state.board, value => {
          state.board = value;
          drawBoards();
        }, "choose-board");
    choose(
        byId("boards-controls"), "Shown",
        [["l1d_misses", "L1D misses a query"], ["distinct_lines", "different lines read"]], "l1d_misses", value => {
          state.boardColumn = value;
          drawBoards();
        }, "choose-quantity");
  }
}

buildControls();
buildSections();
refresh();
let drawnWidth = document.documentElement.clientWidth;
window.addEventListener("resize", () => {
  if (document.documentElement.clientWidth === drawnWidth) return;
  drawnWidth = document.documentElement.clientWidth;
  refresh();
});
