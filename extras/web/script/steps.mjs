// SPDX-License-Identifier: MIT
//
// The steps of a query: the values that the method's own code had, drawn, with the sentence that a .steps file says of each,
// and the occupancies that share a slot.

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

const MOST_TOP = 20; // bits: no method indexes a larger table

/**
 * The described values of a query in their order.
 * @param events  of `ask`
 * @param described  {places, stepsAt}: of each place its function and text, and its steps; a step has kind, function, expression,
 *     drawing, factors and text
 * @returns list of {step, values, isFirst}; values of one step in a row stand together, isFirst says that it is new.
 *     A value has words, type, place, its occurrence at this place, and factors
 */
export function stepsOf(events, described, kind) {
  const found = [], known = new Set(), latest = new Map(), times = new Map();
  for (const { value } of events) {
    if (!value) continue;
    const { place } = value, [name, text] = described.places[place];
    latest.set(`${name} ${text}`, value);
    const occurrence = times.get(place) ?? 0;
    times.set(place, occurrence + 1);
    const step = described.stepsAt[place].find((each) => fits(each, kind, value, latest));
    if (!step) continue;
    const shown = { ...value, occurrence, factors: factorsOf(step, latest) };
    if (found.at(-1)?.step === step) found.at(-1).values.push(shown);
    else found.push({ step, values: [shown], isFirst: !known.has(keyOf(step)) });
    known.add(keyOf(step));
  }
  return found;
}

/** Whether a step is about this value: of its slider, and a product of its factors. */
function fits(step, kind, { words }, latest) {
  if (step.kind && kind !== "queen" && step.kind !== kind) return false;
  const factors = factorsOf(step, latest);
  return !step.factors || (factors !== null && BigInt.asUintN(64, factors[0] * factors[1]) === words[0]);
}

/** What a reader takes for the same step: two functions of a header may say the same. */
const keyOf = ({ expression, text }) => `${expression}\n${text}`;

/** The values of a product's two factors: of constants, or as the code had them last; null where one was not seen. */
function factorsOf({ function: name, factors }, latest) {
  if (!factors) return null;
  const values = factors.map((text) => /^0x[\da-f]+$/i.test(text) ? BigInt(text) : latest.get(`${name} ${text}`)?.words[0]);
  return values.includes(undefined) ? null : values;
}

/** The bits at the top of a product that a slot is made of; 0 where the slot is something else. */
function topBits(product, slot, relevantBits) {
  const sizes = [relevantBits, ...Array.from({ length: MOST_TOP }, (_, i) => i + 1)];
  return sizes.find((bits) => bits > 0 && product >> BigInt(64 - bits) === slot) ?? 0;
}

/** Gives each product the number of its bits that the next slot has. */
function markTops(steps, relevantBits) {
  steps.forEach(({ step, values }, number) => {
    const slot = steps.slice(number + 1).find((later) => later.step.drawing === "slot")?.values[0].words[0];
    if (step.drawing !== "product" || slot === undefined) return;
    for (const value of values) value.top = topBits(value.words[0], slot, relevantBits);
  });
}

/**
 * Draws the steps of a query into a list: a card for each step that is new; steps that come again stand together, small.
 * @param query  {square, relevantBits}: where the slider is, and how many squares matter to it
 * @param {(step, value) => Element} explore  what is put beside a slot
 */
export function drawSteps(list, steps, { square, relevantBits }, explore) {
  markTops(steps, relevantBits);
  const numbers = new Map();
  let again = null;
  list.replaceChildren();
  for (const { step, values, isFirst } of steps) {
    if (isFirst) numbers.set(keyOf(step), numbers.size + 1);
    const drawings = values.map((value) => drawingOf({ ...value, drawing: step.drawing }, square));
    if (isFirst) {
      list.append(cardOf(step, numbers.get(keyOf(step)), drawings, values, explore));
      again = null;
    } else {
      again ??= list.appendChild(make("li", { className: "again" }, make("p", { className: "note" }, "The same steps again:"),
        make("ol")));
      again.lastChild.append(make("li", {}, make("div", { className: "drawn" }, ...drawings), numbers.get(keyOf(step)), ". ",
        make("code", { className: "expression", title: step.text }, step.expression)));
    }
  }
  if (steps.length === 0) list.append(make("li", { className: "step" }, "No steps are described for this query."));
}

/** A step that is new: its value, the expression of the code, the sentence. */
function cardOf(step, number, drawings, values, explore) {
  const slots = step.drawing === "slot" ? [explore(step, values[0])] : [], isWide = step.drawing === "product" && values[0].factors;
  const words = make("div", { className: "words" }, make("code", { className: "expression" }, step.expression),
    make("p", {}, step.text), ...slots);
  return make("li", { className: isWide ? "step wide" : "step" }, make("span", { className: "step-number" }, number),
    make("div", { className: "drawn" }, ...drawings), words);
}

const MOST_SUBSETS = 1 << 12, MOST_DRAWN = 48;

/**
 * Asks a method every subset of the relevant squares.
 * @param {(events: Array) => BigInt | undefined} slotOf  the slot among a query's events
 * @returns {{occupancies, slots, sharing}}  how many were asked, how many slots they use, and those that use `slot`
 */
function exploreSlots(atlas, method, { kind, square }, slotOf, slot) {
  const slots = new Set(), sharing = [];
  let occupancies = 0;
  for (const occupied of subsetsOf(atlas.relevant(kind, square))) {
    const { answer, events } = atlas.ask(method, kind, square, occupied), found = slotOf(events);
    ++occupancies;
    slots.add(found);
    if (found === slot) sharing.push({ occupied, answer });
  }
  return { occupancies, slots: slots.size, sharing };
}

/** The button beside a slot, and what it shows; for queens, whose relevant squares have too many subsets, a sentence. */
export function exploreButton(atlas, method, { kind, square }, { place, occurrence, words: [slot] }) {
  const shown = make("div", { className: "sharing", aria: { live: "polite" } });
  if (2 ** squaresOf(atlas.relevant(kind, square)).length > MOST_SUBSETS)
    return make("p", { className: "note" }, "Choose a bishop or a rook to see which occupancies share this slot.");
  const button = make("button", { type: "button" }, "show all occupancies that share this slot");
  const slotOf = (events) => events.filter(({ value }) => value?.place === place)[occurrence]?.value.words[0];
  button.addEventListener("click", () => {
    const found = exploreSlots(atlas, method, { kind, square }, slotOf, slot);
    shown.replaceChildren(...sharingParts(found, { kind, square }, slot));
  });
  return make("div", {}, button, shown);
}

function sharingParts({ occupancies, slots, sharing }, { square, kind }, slot) {
  const answers = new Set(sharing.map(({ answer }) => answer)).size;
  const all = `A ${kind} on ${squareName(square)} has ${occupancies.toLocaleString("en")} relevant occupancies, which use ` +
    `${counted(slots, "slot")}.`;
  const own = `Slot ${slot.toLocaleString("en")} is that of ${counted(sharing.length, "occupancy", "occupancies")}`;
  const alike = answers === 1 ? "all with the same attacks" : `with ${answers} different attacks: a later step tells them apart`;
  const words = sharing.length === 1 ? `${all} ${own} alone.` : `${all} ${own}, ${alike}.`;
  const drawn = sharing.slice(0, MOST_DRAWN).map(({ occupied }) => smallBoard(occupied, square, "occupancy"));
  const rest = sharing.length - drawn.length;
  return [make("p", {}, words), make("div", { className: "many-boards" }, ...drawn),
          ...(rest > 0 ? [make("p", { className: "note" }, `and ${rest.toLocaleString("en")} more`)] : [])];
}
