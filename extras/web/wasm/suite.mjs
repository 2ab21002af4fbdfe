// SPDX-License-Identifier: MIT
//
// The WebAssembly module with names instead of addresses. Imports nothing: for node, workers and pages alike (README.md).

const gzipMagic = [0x1f, 0x8b];

async function unpacked(bytes) {
  if (gzipMagic.some((byte, i) => bytes[i] !== byte)) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function instance(moduleBytes) {
  try {
    return (await WebAssembly.instantiate(await unpacked(moduleBytes))).instance;
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new Error(`this engine does not compile the module, which needs SIMD128: ${error.message}`);
  }
}

/** Loads module and trace (each a Uint8Array, gzip or not); `seed` lays the pressures out. Error: one line on what is wrong. */
export async function openSuite(moduleBytes, traceBytes, seed) {
  const module = (await instance(moduleBytes)).exports;
  module._initialize();
  const suite = new Suite(module);
  suite.openTrace(await unpacked(traceBytes));
  module.prepare(seed);
  return suite;
}

class Suite {
  constructor(module) {
    const names = (count, name) => Array.from({ length: count }, (_, i) => this.text(name(i)));
    this.module = module;
    this.workloads = names(module.workloads(), module.workload_name);
    this.pressures = names(module.pressures(), module.pressure_name);
    this.methods = Array.from({ length: module.methods() }, (_, index) => ({
      index,
      id: this.text(module.method_id(index)),
      title: this.text(module.method_title(index)),
      family: this.text(module.method_family(index)),
      inventor: this.text(module.method_inventor(index)),
      reference: this.text(module.method_reference(index)),
      year: module.method_year(index),
      tableBytes: module.method_table_bytes(index),
    }));
  }

  /** A C string of the module. */
  text(address) {
    const bytes = new Uint8Array(this.module.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  openTrace(bytes) {
    const room = this.module.trace_room(bytes.length);
    if (room === 0) throw new Error(`no memory for a trace of ${bytes.length} bytes; use a shorter one`);
    new Uint8Array(this.module.memory.buffer, room, bytes.length).set(bytes);
    const fault = this.module.open_trace();
    if (fault !== 0) throw new Error(`the trace ${this.text(fault)}; make one by slidebench trace build`);
  }

  /** The method, workload or pressure of this name, as a number. Error: there is none. */
  find(what, name) {
    const found = this[what].findIndex((entry) => (entry.id ?? entry) === name);
    if (found < 0) throw new Error(`there is no '${name}' among the ${what}: ${this[what].map((e) => e.id ?? e).join(", ")}`);
    return found;
  }

  segments(workload) {
    return this.module.segments(workload);
  }

  /** How many queries one pass over a segment has. */
  queries(workload, segment) {
    return this.module.queries(workload, segment);
  }

  /** The sum that one pass of a right method gives, a BigInt. */
  expected(workload, segment) {
    return BigInt.asUintN(64, this.module.expected(workload, segment));
  }

  /** How many of a method's answers are wrong: it should be 0. */
  verify(method) {
    return this.module.verify(method);
  }

  /** What is timed: so many passes over a segment. The sum of the answers, a BigInt. */
  replay(method, workload, pressure, segment, passes) {
    return BigInt.asUintN(64, this.module.replay(method, workload, pressure, segment, passes));
  }
}
