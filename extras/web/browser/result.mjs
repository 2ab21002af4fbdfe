// SPDX-License-Identifier: MIT
//
// What a race says, in the words of the suite's answers; and the file that `slidebench.py add-machine` takes.

/** The answer of a judged cell: {what, rest, isShown}. */
export function answerOf({ rows, bound, isSound }, reference) {
  const methods = rows.filter((row) => row.verdict && row.verdict !== "reference"), [least] = methods;
  if (!isSound) return { what: "no answer", rest: "identical code was told apart; measure again", isShown: false };
  if (least.verdict === "void")
    return { what: "no answer", rest: "a method was quicker than the loop without one", isShown: false };
  const named = methods.find((row) => row.verdict === "faster");
  if (!named) {
    const rest = `identical code differed by up to ${changeText(1 + bound)}; least: ${least.contender} ` +
      changeWithInterval(least);
    return { what: `no method is shown to be quicker than ${reference}`, rest, isShown: false };
  }
  const others = rows.filter((row) => row.best && row !== named).map((row) => row.contender);
  const names = others.slice(0, 4).join(", ") + (others.length > 4 ? " \u2026" : "");
  const ruled = `${others.length} other${others.length > 1 ? "s" : ""} not ruled out: ${names}`;
  return { what: `${named.contender} ${changeWithInterval(named)}`, isShown: true,
           rest: others.length ? ruled : "no other may be as fast" };
}

// What is in a user agent's text, first match: the browser, its engine.
const agents = [
  [/(?:iPhone|iPad|iPod).*? (?:CriOS|FxiOS|Version)\/([\d.]+)/, "browser of iOS", "JavaScriptCore"],
  [/Firefox\/([\d.]+)/, "Firefox", "SpiderMonkey"],
  [/Edg\/([\d.]+)/, "Edge", "V8"],
  [/Chrom(?:e|ium)\/([\d.]+)/, "Chromium", "V8"],
  [/Version\/([\d.]+).*Safari\//, "Safari", "JavaScriptCore"],
  [/(?:)/, "unknown", "unknown"],
];

/** What this browser tells of itself: {name, version, engine, system, mobile, cores, user_agent}. */
export async function describeBrowser({ userAgent, userAgentData, platform, hardwareConcurrency }) {
  const [pattern, name, engine] = agents.find(([each]) => each.test(userAgent));
  const asked = ["architecture", "bitness", "fullVersionList"];
  const told = await Promise.resolve(userAgentData?.getHighEntropyValues(asked)).catch(() => undefined);
  const brand = told?.fullVersionList?.find((each) => /Chrom|Edge|Opera/.test(each.brand));
  const system = [userAgentData?.platform || platform, told?.architecture, told?.bitness];
  return {
    name: brand?.brand ?? name, version: brand?.version ?? pattern.exec(userAgent)[1] ?? "", engine,
    system: system.filter(Boolean).join(" "), mobile: userAgentData?.mobile ?? /Mobi/.test(userAgent),
    cores: hardwareConcurrency ?? 0, user_agent: userAgent,
  };
}

/** The file of a race, an object. race: what `measure` gives. `browser` is what `describeBrowser` gives. */
export function resultFile({ started, seconds, plan, clock, cells }, browser, cpu) {
  const digits = (value) => Number(value.toPrecision(8)), { module, trace } = data;
  const contender = ([name, { ns, logs }], roles) =>
    ({ contender: name, role: roles.get(name), ns_per_query: ns.map(digits), log_ratios: logs.map(digits) });
  return {
    kind: "slidebench browser result", schema: 1, cpu, browser, clock, module, trace, started, seconds, seed: plan.seed,
    reference: REFERENCE, margin: MARGIN,
    cells: cells.map(({ workload, pressure, times, roles, rounds }) =>
      ({ workload, pressure, rounds, contenders: [...times].map((entry) => contender(entry, roles)) })),
  };
}
