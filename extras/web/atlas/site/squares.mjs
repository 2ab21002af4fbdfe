// SPDX-License-Identifier: MIT
//
// Squares, boards of 64 bits (BigInt, a1 is bit 0) and the FEN of pieces on them.

export const KINDS = ["bishop", "rook", "queen"];
const PIECES = "pnbrqkPNBRQK";

export const squareName = (square) => "abcdefgh"[square & 7] + (1 + (square >> 3));
export const bit = (square) => 1n << BigInt(square);
export const boardOf = (squares) => [...squares].reduce((board, square) => board | bit(square), 0n);
export const squaresOf = (board) => Array.from({ length: 64 }, (_, square) => square).filter((square) => board & bit(square));

/** The square of a name such as "e4"; null where it is none. */
export const squareOf = (name) => /^[a-h][1-8]$/.test(name) ? "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1) : null;

/** The pieces on the board of a FEN, a Map square -> letter. Error, one line: the text is no FEN. */
export function piecesOf(fen) {
  const ranks = fen.trim().split(/\s+/)[0].split("/"), pieces = new Map();
  const refuse = (what) => { throw new Error(`No FEN: ${what}; it should look like 8/8/2p5/8/3P4/8/8/8.`); };
  if (ranks.length !== 8) refuse(`there ${ranks.length === 1 ? "is 1 rank" : `are ${ranks.length} ranks`}, not 8`);
  ranks.forEach((text, down) => {
    let file = 0;
    for (const letter of text) {
      if (/[1-8]/.test(letter)) file += Number(letter);
      else if (PIECES.includes(letter)) pieces.set(8 * (7 - down) + file++, letter);
      else refuse(`"${letter}" stands in rank ${8 - down}`);
    }
    if (file !== 8) refuse(`rank ${8 - down} has ${file} squares`);
  });
  return pieces;
}

/** The FEN of pieces, without what else a FEN says. */
export function fenOf(pieces) {
  const rank = (down) => Array.from({ length: 8 }, (_, file) => pieces.get(8 * (7 - down) + file) ?? "1").join("");
  const ranks = Array.from({ length: 8 }, (_, down) => rank(down).replace(/1+/g, (empty) => String(empty.length)));
  return ranks.join("/");
}

/** All subsets of a board, the empty one first. */
export function* subsetsOf(board) {
  let subset = 0n;
  do {
    yield subset;
    subset = (subset - board) & board;
  } while (subset);
}
