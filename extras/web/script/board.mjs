// SPDX-License-Identifier: MIT
//
// The board on which a reader sets blockers and a slider, by mouse, touch or keyboard, and its controls.

export const GLYPHS = { p: "♟", n: "♞", b: "♝", r: "♜", q: "♛", k: "♚" };
const SLIDERS = { bishop: "♝", rook: "♜", queen: "♛" };
const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const KIND_KEYS = { b: "bishop", r: "rook", q: "queen" };

/**
 * A board in an element.
 * @param {Element} host  what it is put into
 * @param {(change: object) => void} changed  told {pieces}, {square} or {kind} when the reader changes one
 * @returns {{draw: Function}}  draw({pieces, square, kind}, {answer, relevant}) shows a state; the boards may be null
 */
export function createBoard(host, changed) {
  const cells = Array.from({ length: 64 }, (_, square) => make("div", {
    className: `square ${((square >> 3) + square) % 2 ? "light" : "dark"}`, tabIndex: -1, aria: { role: "gridcell" },
    data: { square: squareName(square) } }));
  const rank = (number) => make("div", { className: "rank", aria: { role: "row" }, data: { rank: number + 1 } },
    ...cells.slice(8 * number, 8 * number + 8));
  const grid = make("div", { className: "board", aria: { role: "grid", label: "Board" } });
  grid.append(...[7, 6, 5, 4, 3, 2, 1, 0].map(rank));
  const files = [..."abcdefgh"].map((file) => make("span", {}, file));
  host.append(grid, make("div", { className: "files", aria: { hidden: true } }, ...files));
  let shown = null, focused = 0, lifted = false;

  const focus = (square) => {
    cells[focused].tabIndex = -1;
    focused = square;
    cells[focused].tabIndex = 0;
  };
  const putSlider = (square) => {
    lifted = false;
    changed({ square });
  };
  const toggle = (square) => {
    const pieces = new Map(shown.pieces);
    if (!pieces.delete(square)) pieces.set(square, "p");
    changed({ pieces });
  };
  const lift = (value) => {
    lifted = value;
    cells[shown.square].classList.toggle("lifted", lifted);
  };

  grid.addEventListener("click", ({ target }) => {
    const square = cells.indexOf(target.closest(".square"));
    if (square < 0) return;
    focus(square);
    if (square === shown.square) lift(!lifted);
    else if (lifted) putSlider(square);
    else toggle(square);
  });
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key], [file, rankOf] = [focused & 7, focused >> 3];
    if (step) {
      const next = [file + step[0], rankOf + step[1]];
      if (next.every((place) => place >= 0 && place < 8)) focus(next[0] + 8 * next[1]);
      cells[focused].focus();
    } else if (event.key === " ") {
      if (focused !== shown.square) toggle(focused);
    } else if (event.key === "s" || event.key === "Enter") putSlider(focused);
    else if (KIND_KEYS[event.key]) changed({ kind: KIND_KEYS[event.key] });
    else return;
    event.preventDefault();
  });

  const draw = (state, { answer = null, relevant = null } = {}) => {
    if (!shown) focus(state.square);
    shown = state;
    lifted = false;
    cells.forEach((cell, square) => drawSquare(cell, square, state, answer, relevant));
  };
  return { draw };
}

function drawSquare(cell, square, { pieces, square: slider, kind }, answer, relevant) {
  const has = (board) => board !== null && (board & bit(square)) !== 0n, piece = pieces.get(square);
  const isSlider = square === slider, isAttacked = has(answer), isRelevant = has(relevant);
  const what = { slider: isSlider, blocker: Boolean(piece) && !isSlider, attacked: isAttacked, relevant: isRelevant };
  for (const [name, value] of Object.entries({ ...what, lifted: false })) cell.classList.toggle(name, value);
  cell.textContent = isSlider ? SLIDERS[kind] : piece ? GLYPHS[piece.toLowerCase()] : "";
  const words = [isSlider ? kind : "", what.blocker ? "blocker" : "", isAttacked ? "attacked" : "", isRelevant ? "relevant" : ""];
  cell.setAttribute("aria-label", [squareName(square), ...words.filter(Boolean)].join(", "));
}

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
