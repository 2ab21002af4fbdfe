// SPDX-License-Identifier: MIT
//
// The board with its controls: the kind of slider, a FEN, and a line that says what the slider attacks.

/**
 * A desk in an element; what the element has already goes beside the board.
 * @param {(change: object) => void} changed  told of each change, as by `createBoard`
 * @returns {{draw: Function, say: Function}}  draw(state, {answer, relevant}); say(lines) shows what is wrong, none clears it
 */
export function createDesk(host, changed) {
  const kind = makeSelect(KINDS.map((name) => [name, name]), "queen");
  const fen = make("input", { spellcheck: false, autocomplete: "off", size: 26 });
  const clear = make("button", { type: "button" }, "clear the board");
  const said = make("p", { className: "said", aria: { live: "polite" } });
  const wrong = make("p", { className: "banner bad", hidden: true, aria: { role: "alert" } });
  const inside = [...host.children], hints = document.querySelector(".board-hint") ? [] : [hint()];
  const side = make("div", { className: "desk-side" }, make("div", { className: "controls" }, labelled("Slider", kind),
    labelled("FEN", fen), make("span", { className: "tools" }, clear)), wrong, said, ...hints, ...inside);
  const place = make("div", { className: "desk-board" });
  host.append(place, side);
  const board = createBoard(place, changed);

  const say = (lines) => {
    wrong.hidden = lines.length === 0;
    wrong.textContent = lines.join(" ");
  };
  kind.addEventListener("change", () => changed({ kind: kind.value }));
  clear.addEventListener("click", () => changed({ pieces: new Map() }));
  fen.addEventListener("change", () => {
    try { changed({ pieces: piecesOf(fen.value) }); } catch (error) { say([error.message]); }
  });

  const draw = (state, boards = {}) => {
    board.draw(state, boards);
    kind.value = state.kind;
    fen.value = fenOf(state.pieces);
    said.textContent = summary(state, boards);
  };
  return { draw, say };
}

function hint() {
  const keys = "Click a square to set or take a blocker; click the slider, then a square, to move it. By keyboard: arrows, " +
    "space for a blocker, s or Enter for the slider, b, r, q for its kind.";
  return make("p", { className: "note board-hint" }, keys);
}

/** What a slider attacks, and how many occupancies its squares have, in words. */
function summary({ square, kind }, { answer = null, relevant = null }) {
  if (answer === null) return "";
  const attacked = `The ${kind} on ${squareName(square)} attacks ${counted(squaresOf(answer).length, "square")}.`;
  if (relevant === null) return attacked;
  const bits = squaresOf(relevant).length;
  return `${attacked} ${counted(bits, "relevant square")} (ringed): 2^${bits} = ${counted(2 ** bits, "occupancy", "occupancies")}.`;
}
