// SPDX-License-Identifier: MIT
//
// What the two WebAssembly modules have in common. Scripts are joined for pages of a disk, which may load no modules: their
// imports, which node alone needs, are one line each and go.

const GZIP_MAGIC = [0x1f, 0x8b];

/** Bytes, unpacked where they are gzip. */
export async function unpacked(bytes) {
  if (GZIP_MAGIC.some((byte, i) => bytes[i] !== byte)) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A C string of a module. */
export function textAt({ memory }, address) {
  const bytes = new Uint8Array(memory.buffer, address);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}
