// SPDX-License-Identifier: MIT
//
// What the pages with a board share: the state in the address, the query, and who draws it.

/** The line of a page that says what is wrong with it. */
export function complain(message) {
  const banner = byId("wrong");
  banner.textContent = message;
  banner.hidden = false;
}

/** The state in which pages open: some blockers around a queen. */
export function usualState() {
  const pieces = piecesOf("4k3/pp3p2/2p1p3/8/3P4/1P4P1/P4P2/4K3");
  return { pieces, square: squareOf("d5"), kind: "queen", methods: [] };
}

/** The label of a query among others. */
export const labelOf = ({ kind, square }) => `${kind} on ${squareName(square)}`;

/**
 * A page with one board whose state is in the address.
 * @param data  of `openData`
 * @param {(state, desk) => void} show  asks the methods and draws; what it throws is shown in one line
 */
export function createPage(usual, show) {
  let state = stateOf(location.hash, usual);
  const change = (changed) => {
    state = { ...state, ...changed, refused: [] };
    history.replaceState(null, "", hashOf(state));
    draw();
  };
  const desk = createDesk(byId("desk"), change);
  const draw = () => {
    desk.say(state.refused);
    try { show(state, desk); } catch (error) { complain(error.message); }
  };
  globalThis.addEventListener("hashchange", () => {
    state = stateOf(location.hash, usual);
    draw();
  });
  draw();
  return { change };
}

/** The boards of a query for a desk; the answer is compared with the reference's. */
export function boardsOf({ atlas }, { kind, square, pieces }, answer) {
  const expected = atlas.reference(kind, square, boardOf(pieces.keys()));
  if (answer !== expected) throw new Error("This answer is not the reference's: please report it.");
  return { answer, relevant: atlas.relevant(kind, square) };
}

/** Draws a method's steps; the answer of the last one must be the method's. */
export function drawMethodSteps(data, method, list, state, events) {
  const steps = stepsOf(events, data.described, state.kind);
  const relevantBits = squaresOf(data.atlas.relevant(state.kind, state.square)).length;
  drawSteps(list, steps, { square: state.square, relevantBits }, (step, value) => exploreButton(data.atlas, method, state, value));
}

/** The reads among a query's events. */
export const readsOf = (events) => events.filter(({ read }) => read).map(({ read }) => read);
