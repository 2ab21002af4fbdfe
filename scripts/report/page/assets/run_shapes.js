// SPDX-License-Identifier: MIT
// Colours and shapes of the figures. Colours are those of light paper; the page's style turns them round in the dark.
"use strict";

const INK = "#1b1e23", MUTED = "#5c636e", GRID = "#dde0e5", BAND = "#c6cbd3", PAPER = "#ffffff";
const SQUARE = "M-0.85 -0.85H0.85V0.85H-0.85Z", CIRCLE = "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0 -1 0Z";
const DIAMOND = "M0 -1.15L1.15 0L0 1.15L-1.15 0Z", PLUS = "M-1 0H1M0 -1V1";
// verdict -> its shape about 0,0 with a radius of about 1, so that none is told by colour alone.
const SHAPES = {
  faster: "M-1.1 0L0.9 -1V1Z",
  slower: "M1.1 0L-0.9 -1V1Z",
  equivalent: SQUARE,
  unresolved: CIRCLE,
  inconclusive: CIRCLE,
  void: "M-1 -1L1 1M-1 1L1 -1",
  reference: DIAMOND,
};
