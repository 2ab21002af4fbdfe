// SPDX-License-Identifier: MIT
//
// Squares, boards of 64 bits (BigInt, a1 is bit 0), the FEN of pieces on them, and what a page shows, as its address has it:
// #fen=8/8/8/8/8/8/8/8&square=d4&kind=queen&methods=pext,hyperbola

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

/** A state read from an address, what that does not say from `usual`; `refused` holds a line for each part that is none. */
export function stateOf(hash, usual) {
  const given = new Map(hash.replace(/^#/, "").split("&").filter(Boolean).map((part) => {
    const [name, ...rest] = part.split("=");
    return [name, decoded(rest.join("="))];
  }));
  const state = { ...usual, pieces: new Map(usual.pieces), refused: [] };
  const take = (name, read) => {
    if (!given.has(name)) return;
    try { read(given.get(name)); } catch (error) { state.refused.push(error.message); }
  };
  take("fen", (text) => { state.pieces = piecesOf(text); });
  take("square", (text) => { state.square = squareOf(text) ?? refused("square", text, "a square such as d4"); });
  take("kind", (text) => { state.kind = KINDS.includes(text) ? text : refused("kind", text, KINDS.join(", ")); });
  take("methods", (text) => { state.methods = text.split(",").filter(Boolean); });
  return state;
}

function refused(name, text, wanted) {
  throw new Error(`The address says ${name}=${text}; it should be ${wanted}.`);
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** The address of a state; methods only where there are some. */
export function hashOf({ pieces, square, kind, methods = [] }) {
  const parts = [`fen=${fenOf(pieces)}`, `square=${squareName(square)}`, `kind=${kind}`];
  return `#${parts.concat(methods.length ? [`methods=${methods.join(",")}`] : []).join("&")}`;
}
