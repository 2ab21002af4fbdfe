// SPDX-License-Identifier: MIT
//
// Rounds of samples, as `slidebench run` takes them: in a round all contenders replay the same segment, each after a warm-up
// of its own, in random order; the twin is the reference once more. The clock is read around a call. Imports nothing.

/** A seeded generator of numbers in [0, 2^32): xorshift32, by G. Marsaglia (Xorshift RNGs, 2003). */
export function generator(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

function shuffled(list, random) {
  const order = [...list];
  for (let i = order.length - 1; i > 0; --i) {
    const j = random() % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Runs a contender for about so many milliseconds, once at least; returns the passes and the time of all, ms. */
function warmUp(suite, cell, method, segment, milliseconds, now) {
  const start = now();
  let passes = 0, took = 0;
  do {
    suite.replay(method, cell.workload, cell.pressure, segment, 1);
    ++passes;
    took = now() - start;
  } while (took < milliseconds);
  return { passes, took };
}

/** How many passes take so many milliseconds at the contender's quickest pace so far: whatever else ran during a warm-up
 *  must not shorten a sample. paces: Map name -> the least ms per query. */
function passesFor(milliseconds, paces, name, warm, queries) {
  const pace = Math.min(paces.get(name) ?? Infinity, warm.took / (warm.passes * queries));
  paces.set(name, pace);
  return Math.max(1, Math.round(milliseconds / (pace * queries)));
}

/** The plan with numbers for names, and the reference's two contenders. */
function resolve(suite, plan) {
  const cells = plan.cells.map(([workload, pressure]) => ({
    names: [workload, pressure],
    workload: suite.find("workloads", workload),
    pressure: suite.find("pressures", pressure),
    paces: new Map(),
  }));
  for (const cell of cells)
    if (cell.pressure !== 0 && cell.workload !== 0)
      throw new Error(`${cell.names.join(" beside ")} is not measured: beside a network there is throughput alone`);
  const contender = (id, role, name = id) => ({ id, role, name, method: suite.find("methods", id) });
  const others = plan.methods.filter((id) => id !== plan.reference);
  const contenders = [
    contender(plan.reference, "reference"),
    contender(plan.reference, "twin", `${plan.reference}.twin`),
    ...others.map((id) => contender(id, id === "empty" ? "empty" : "method")),
  ];
  return { cells, contenders };
}

const hexadecimal = (sum) => `0x${sum.toString(16).toUpperCase().padStart(16, "0")}`;

/**
 * Measures; yields samples {round, position, contender, method, role, workload, pressure, segment, queries, time_ns, wall_ns,
 * checksum}.
 *
 * plan: {methods: [id, ...], reference: id, cells: [[workload, pressure], ...], rounds, sampleMs, warmUpMs, seed}; compileMs
 * may be there too. now, cpu: milliseconds, such as performance.now; `cpu` gives the CPU's time where it can be had. Round -1 is
 * there for the engine, which compiles what it sees running: its warm-ups take compileMs (else warmUpMs), and its samples are
 * not given. Error, in one line: a name that is not there, or a sum of answers that is wrong.
 */
export function* rounds(suite, plan, now, cpu = now) {
  const { cells, contenders } = resolve(suite, plan);
  const random = generator(plan.seed);
  for (let round = -1; round < plan.rounds; ++round) {
    for (const cell of shuffled(cells, random)) {
      const segment = random() % suite.segments(cell.workload);
      const queries = suite.queries(cell.workload, segment);
      const expected = suite.expected(cell.workload, segment);
      for (const [position, contender] of shuffled(contenders, random).entries()) {
        const warmUpMs = round < 0 ? plan.compileMs ?? plan.warmUpMs : plan.warmUpMs;
        const warm = warmUp(suite, cell, contender.method, segment, warmUpMs, now);
        const passes = passesFor(plan.sampleMs, cell.paces, contender.name, warm, queries);
        const wallStart = now(), start = cpu();
        const checksum = suite.replay(contender.method, cell.workload, cell.pressure, segment, passes);
        const time = cpu() - start, wall = now() - wallStart;
        if (contender.role !== "empty" && checksum !== BigInt.asUintN(64, expected * BigInt(passes)))
          throw new Error(`${contender.name} gave wrong answers in ${cell.names.join(", ")}: another sum than the oracle's`);
        if (round < 0) continue;
        const { name, id, role } = contender;
        const [workload, pressure] = cell.names;
        yield {
          round, position, contender: name, method: id, role, workload, pressure, segment, queries: passes * queries,
          time_ns: time * 1e6, wall_ns: wall * 1e6, checksum: hexadecimal(checksum),
        };
      }
    }
  }
}

/** The steps that a clock really takes, in ms: the smallest difference between two readings that differ. */
export function clockStep(now) {
  let step = Infinity;
  for (let tries = 0; tries < 50; ++tries) {
    const start = now();
    let end = start;
    while (end === start) end = now();
    step = Math.min(step, end - start);
  }
  return step;
}
