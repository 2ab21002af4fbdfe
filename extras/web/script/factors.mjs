// SPDX-License-Identifier: MIT
//
// A magic factor to try: whether the relevant occupancies of a slider share slots, and which two with different attacks collide.

const WORD = (1n << 64n) - 1n, MOST_TRIES = 1_000_000, SLICE_MS = 30;

/** Every relevant occupancy of a slider and its attacks: list of {occupied, attacks}. */
export function occupanciesOf(atlas, kind, square) {
  const attacks = (occupied) => atlas.reference(kind, square, occupied);
  return [...subsetsOf(atlas.relevant(kind, square))].map((occupied) => ({ occupied, attacks: attacks(occupied) }));
}

/** What a factor does with occupancies: {slots: how many it uses, collision: [first, second, slot] of different attacks, or null}. */
export function triedFactor(occupancies, factor, bits, isWhole = true) {
  const taken = new Map();
  let collision = null;
  for (const each of occupancies) {
    const slot = ((each.occupied * factor) & WORD) >> BigInt(64 - bits), first = taken.get(slot);
    if (first === undefined) taken.set(slot, each);
    else if (first.attacks !== each.attacks) {
      collision ??= [first, each, slot];
      if (!isWhole) break;
    }
  }
  return { slots: taken.size, collision };
}

/** A random factor with few bits set: each bit with a probability of one in eight. */
export function sparseFactor() {
  const words = () => new BigUint64Array(crypto.getRandomValues(new Uint32Array(2)).buffer)[0];
  return words() & words() & words();
}

/** The desk on which a reader tries factors; returns {draw}, which takes the slider's {kind, square}. */
export function createFactors(host, atlas) {
  const factor = make("input", { spellcheck: false, autocomplete: "off", size: 20, value: "0x1" });
  const bits = make("input", { type: "number", min: 1, max: 16, value: 10 }), found = make("div", { aria: { live: "polite" } });
  const button = (text, work) => {
    const made = make("button", { type: "button" }, text);
    made.addEventListener("click", work);
    return made;
  };
  let asked = null, occupancies = [], searching = 0;
  const show = (tries) => {
    if (asked.kind === "queen") return found.replaceChildren(make("p", {}, "Choose a bishop or a rook."));
    const typed = /^0x[\da-f]{1,16}$/i.test(factor.value.trim()), count = Number(bits.value);
    if (!typed || !(count >= 1 && count <= 16))
      return found.replaceChildren(make("p", {}, "A factor is 0x and up to 16 hexadecimal digits; an index has 1 to 16 bits."));
    const { slots, collision } = triedFactor(occupancies, BigInt(factor.value.trim()), count);
    const sets = new Set(occupancies.map(({ attacks }) => attacks)).size;
    const words = `${counted(occupancies.length, "occupancy", "occupancies")}, ${counted(sets, "attack set")}, ${counted(slots, "slot")} ` +
      `of ${(2 ** count).toLocaleString("en")} used${tries ? `, after ${counted(tries, "try", "tries")}` : ""}.`;
    const drawn = ({ occupied, attacks }, name) => [smallBoard(occupied, asked.square, `${name} occupancy`), "attacks",
      smallBoard(attacks, asked.square, `attacks of the ${name} occupancy`)];
    found.replaceChildren(make("p", {}, words), ...(collision
      ? [make("p", {}, `Not magic: these two share slot ${collision[2].toLocaleString("en")}, and their attacks differ.`),
         make("div", { className: "pair" }, ...drawn(collision[0], "first"), "and", ...drawn(collision[1], "second"))]
      : [make("p", { className: "said" }, "Magic: no two occupancies with different attacks share a slot.")]));
  };
  const search = (tries, number) => {
    const end = performance.now() + SLICE_MS, count = Number(bits.value);
    while (performance.now() < end && tries < MOST_TRIES) {
      const one = sparseFactor();
      ++tries;
      if (triedFactor(occupancies, one, count, false).collision) continue;
      factor.value = hexOf(one);
      return show(tries);
    }
    if (number !== searching) return;
    found.replaceChildren(make("p", {}, `${tries.toLocaleString("en")} factors tried, none is magic${tries < MOST_TRIES ? " yet" : ""}.`));
    if (tries < MOST_TRIES) setTimeout(() => search(tries, number), 0);
  };
  const random = () => {
    ++searching;
    factor.value = hexOf(sparseFactor());
    show();
  };
  for (const input of [factor, bits]) input.addEventListener("change", () => { ++searching; show(); });
  host.append(make("div", { className: "controls" }, labelled("Factor", factor), labelled("Bits of the index", bits),
    make("span", { className: "tools" }, button("a random factor", random), " ",
      button("try until one is magic", () => { if (asked.kind !== "queen") search(0, ++searching); }))), found);
  const draw = ({ kind, square }) => {
    if (asked?.kind === kind && asked.square === square) return;
    ++searching;
    asked = { kind, square };
    occupancies = kind === "queen" ? [] : occupanciesOf(atlas, kind, square);
    bits.value = squaresOf(atlas.relevant(kind, square)).length;
    show();
  };
  return { draw };
}
