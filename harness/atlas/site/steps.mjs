// SPDX-License-Identifier: MIT
//
// The steps of a query: the values that the method's own code had, with the sentence that its .steps file says of each.

const MOST_TOP = 20; // bits: no method indexes a larger table

/**
 * The described values of a query in their order.
 * @param events  of `ask`
 * @param described  {stepAt: place -> step or undefined, steps}; a step has kind, function, expression, drawing, factors, text
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
    const step = described.stepAt[place];
    if (!step || (step.kind && kind !== "queen" && step.kind !== kind)) continue;
    const shown = { ...value, occurrence, factors: factorsOf(step, latest) };
    if (found.at(-1)?.step === step) found.at(-1).values.push(shown);
    else found.push({ step, values: [shown], isFirst: !known.has(step) });
    known.add(step);
  }
  return found;
}

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
 * Draws the steps of a query into a list.
 * @param {{kind, square}} query  what was asked; `relevantBits` is how many squares matter
 * @param {(step, value) => Element} explore  what is put beside a slot
 */
export function drawSteps(list, steps, { square, relevantBits }, explore) {
  markTops(steps, relevantBits);
  let number = 0;
  const numbers = new Map();
  list.replaceChildren(...steps.map(({ step, values, isFirst }) => {
    if (isFirst) numbers.set(step, ++number);
    const drawings = values.map((value) => drawingOf({ drawing: step.drawing, value, ...value }, square));
    const code = make("code", { className: "expression" }, step.expression);
    const again = `again: ${numbers.get(step)}`, head = make("span", { className: "step-number" }, isFirst ? number : again);
    const words = isFirst ? [code, make("p", {}, step.text)] : [make("span", { className: "note", title: step.text }, code)];
    const slot = step.drawing === "slot" ? [explore(step, values[0])] : [];
    const isWide = step.drawing === "product" && values[0].factors;
    return make("li", { className: [isFirst ? "step" : "step again", isWide ? "wide" : ""].join(" ").trim() }, head,
      make("div", { className: "drawn" }, ...drawings), make("div", { className: "words" }, ...words, ...slot));
  }));
  if (steps.length === 0) list.append(make("li", { className: "step" }, "No steps are described for this query."));
}
