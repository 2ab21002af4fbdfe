// SPDX-License-Identifier: MIT
//
// A value as a step draws it: a board, bits, a product, an index, lanes of a vector.

const MASK64 = (1n << 64n) - 1n;
export const hexOf = (word) => `0x${word.toString(16).toUpperCase().padStart(16, "0")}`;

/** The squares of a board as one path, a unit each, rank 8 on top. */
function pathOf(board) {
  return squaresOf(board).map((square) => `M${square & 7} ${7 - (square >> 3)}h1v1h-1z`).join("");
}

/** A small board: its squares filled, the slider ringed. */
export function smallBoard(board, slider, label = "board") {
  const named = squaresOf(board).map(squareName).join(" ") || "empty";
  const svg = makeSvg("svg", { viewBox: "0 0 8 8", class: "small-board", role: "img", "aria-label": `${label}: ${named}` });
  svg.append(makeSvg("rect", { width: 8, height: 8, class: "ground" }),
    makeSvg("path", { d: pathOf(0xAA55AA55AA55AA55n), class: "dark" }), makeSvg("path", { d: pathOf(board), class: "set" }));
  const ring = { cx: (slider & 7) + 0.5, cy: 7.5 - (slider >> 3), r: 0.34 };
  svg.append(makeSvg("circle", ring), makeSvg("circle", { ...ring, class: "slider" }));
  return svg;
}

/** A word as eight bytes of bits, the highest on top. */
function bitsOf(word) {
  const rows = Array.from({ length: 8 }, (_, up) => {
    const byte = (word >> BigInt(8 * (7 - up))) & 255n;
    return `${7 - up}: ${byte.toString(2).padStart(8, "0").replaceAll("0", "·")}`;
  });
  return make("pre", { className: "bits", aria: { role: "img", label: `bits ${hexOf(word)}` } }, rows.join("\n"));
}

/** A number, in the tens where a reader can take it in so. */
function numberOf(word) {
  return make("span", { className: "number-value" }, word > 0xFFFFFFFFn ? hexOf(word) : word.toLocaleString("en"));
}

/** A row of 64 bits in a drawing of products: highest first, those at the top marked. */
const bitRow = (word, y, top, className) => {
  const bits = Array.from({ length: 64 }, (_, i) => i).filter((i) => (word >> BigInt(63 - i)) & 1n);
  const path = (which) => bits.filter(which).map((i) => `M${i} ${y}h.86v.8h-.86z`).join("");
  return [makeSvg("path", { d: path((i) => i >= top), class: className }),
          makeSvg("path", { d: path((i) => i < top), class: `${className} top` })];
};

/** A product as shifted copies of a factor, one for each bit of the other; `top` bits are marked. */
function productOf(word, bits, factor, top) {
  const shifts = squaresOf(bits), height = shifts.length + 1.6;
  const said = `${counted(shifts.length, "copy", "copies")} of the factor, shifted by ${shifts.join(", ") || "nothing"}, added up`;
  const svg = makeSvg("svg", { viewBox: `-6 -0.6 70 ${height + 0.8}`, class: "product", role: "img", "aria-label": said });
  if (top) svg.append(makeSvg("rect", { x: -0.07, y: -0.3, width: top, height: height + 0.4, class: "top-ground" }));
  shifts.forEach((shift, row) => svg.append(
    makeSvg("text", { x: -0.6, y: row + 0.75, "text-anchor": "end", "font-size": 1 }, `${squareName(shift)} << ${shift}`),
    ...bitRow((factor << BigInt(shift)) & MASK64, row, top, "copy")));
  svg.append(makeSvg("line", { x1: -6, x2: 64, y1: shifts.length + 0.3, y2: shifts.length + 0.3, class: "rule" }),
    makeSvg("text", { x: -0.6, y: shifts.length + 1.35, "text-anchor": "end", "font-size": 1 }, "sum"),
    ...bitRow(word, shifts.length + 0.6, top, "sum"));
  const note = top ? ` The ${top} bits at the top, marked, are the index.` : "";
  const box = make("div", { className: "scroll", tabIndex: 0, aria: { role: "region", label: "product" } }, svg);
  return make("figure", {}, box, make("figcaption", {}, `${said}.${note}`));
}

/**
 * Draws the value of a step.
 * @param step  {drawing, words, factors: [BigInt, BigInt] | null, top}, of which `top` is the number of bits to mark
 */
export function drawingOf({ drawing, words, factors, top }, slider) {
  if (drawing === "product" && factors) return productOf(words[0] & MASK64, ...factors, top);
  if (drawing === "lanes")
    return make("span", { className: "lanes" }, ...words.map((word, lane) => smallBoard(word, slider, `lane ${lane}`)));
  if (drawing === "bits" || drawing === "product") return bitsOf(words[0]);
  if (drawing === "board") return smallBoard(words[0], slider);
  return numberOf(words[0]);
}
