// SPDX-License-Identifier: MIT
//
// Opens the module that data.js carries.

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const textOf = async (packed) => new TextDecoder().decode(await unpacked(bytesOf(packed)));

/**
 * The methods, and what is described of them.
 * @returns {{atlas, described}}  of `openAtlas`; described is {places, stepsAt}, lists with an entry a place. Error, one line:
 *     something is missing
 */
export async function openData() {
  if (typeof atlasData === "undefined")
    throw new Error("The file data.js, which has the methods' code, is missing beside this site's pages.");
  if (typeof WebAssembly === "undefined") throw new Error("This browser has no WebAssembly, in which the methods' code is.");
  if (typeof DecompressionStream === "undefined") throw new Error("This browser cannot unpack the methods' code; use a newer one.");
  const { places, steps } = JSON.parse(await textOf(atlasData.described));
  const stepsAt = places.map(() => []);
  for (const step of steps) for (const place of step.places) stepsAt[place].push(step);
  return { atlas: await openAtlas(bytesOf(atlasData.module), places), described: { places, stepsAt } };
}

/** A method's answer with its events. Error, one line: it names a place that is not described. */
export function askedOf({ atlas, described }, method, { kind, square, pieces }) {
  const { answer, events } = atlas.ask(method, kind, square, boardOf(pieces.keys()));
  if (events.some(({ value }) => value && !described.places[value.place]))
    throw new Error("The module and places.json are of two builds: a value has no place. Build both with extras/web/atlas/build.sh.");
  return { answer, events };
}
