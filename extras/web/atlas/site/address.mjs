// SPDX-License-Identifier: MIT
//
// What a page shows, as its address has it: #fen=8/8/8/8/8/8/8/8&square=d4&kind=queen&methods=pext,hyperbola

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
