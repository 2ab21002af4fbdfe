// SPDX-License-Identifier: MIT
//
// The board on which a reader sets blockers and a slider, by mouse, touch or keyboard.

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
