// SPDX-License-Identifier: MIT
//
// All occupancies that share a slot: every subset of the relevant squares is asked of the method.

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
