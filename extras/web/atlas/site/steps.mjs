// SPDX-License-Identifier: MIT
//
// The steps of a query: the values that the method's own code had, with the sentence that its .steps file says of each.

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
