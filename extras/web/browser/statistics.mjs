// SPDX-License-Identifier: MIT
//
// What the samples of a race say, as the suite says it (report/data/process_runs.py, harness/statistics): a start of a
// worker stands for a process run. Imports nothing.

/** The share of the rounds that the trimmed mean leaves out at each end. */
const trimmed = 0.25;

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of the middle half, in which the values at its edges may count in part. Precondition: there are values. */
export function trimmedMean(values) {
  const sorted = [...values].sort((a, b) => a - b), cut = trimmed * sorted.length, whole = Math.floor(cut);
  const middle = sorted.slice(whole, sorted.length - whole), part = cut - whole;
  return (mean(middle) * middle.length - part * (middle[0] + middle.at(-1))) / (sorted.length - 2 * cut);
}

/**
 * The contenders' times in one cell: Map contender -> {ns, logs}, each with a value per start. `ns` is the trimmed mean
 * per query, `logs` that of the logarithms of the time over the reference's in the same round. starts: per start a list
 * of samples {cell, contender, round, ns}. Precondition: in every start each contender shares a round with the reference.
 */
export function timesOf(starts, cell, reference) {
  const times = new Map();
  for (const samples of starts) {
    const rounds = new Map();
    for (const sample of samples.filter((each) => each.cell === cell)) {
      if (!rounds.has(sample.contender)) rounds.set(sample.contender, new Map());
      rounds.get(sample.contender).set(sample.round, sample.ns);
    }
    const beside = rounds.get(reference);
    for (const [contender, own] of rounds) {
      if (!times.has(contender)) times.set(contender, { ns: [], logs: [] });
      const { ns, logs } = times.get(contender), paired = [...own].filter(([round]) => beside.has(round));
      ns.push(trimmedMean([...own.values()]));
      logs.push(trimmedMean(paired.map(([round, time]) => Math.log(time / beside.get(round)))));
    }
  }
  return times;
}

/** The mean of values, two at least, and the ends of its interval; `reach` is half of it in standard errors. */
export function interval(values, reach) {
  const value = mean(values), squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  const half = reach * Math.sqrt(squares / (values.length - 1) / values.length);
  return { value, low: value - half, high: value + half };
}

/** The verdict of an interval of log ratios. `bound`: by how much identical code may have differed, as a fraction. */
export function judge({ low, high }, margin, bound) {
  const equal = Math.log1p(margin), different = Math.log1p(Math.max(margin, bound));
  if (high < -different) return "faster";
  if (low > different) return "slower";
  if (bound > margin) return "unresolved";
  return low >= -equal && high <= equal ? "equivalent" : "inconclusive";
}

/**
 * Verdicts that hold for all at once, by Holm's rule: who is decided leaves more of the error to the others. methods: for
 * each a list of values per start. reach(starts, sharing): Student's, where so many share the error of 5 %.
 */
export function judgeTogether(methods, margin, bound, reach) {
  const isDecided = (verdict) => ["faster", "slower", "equivalent"].includes(verdict), verdicts = methods.map(() => null);
  let sharing = methods.length;
  for (let somebodyLeft = true; somebodyLeft && sharing > 0;) {
    const share = sharing;
    somebodyLeft = false;
    for (const [i, values] of methods.entries()) {
      if (isDecided(verdicts[i])) continue;
      verdicts[i] = judge(interval(values, reach(values.length, share)), margin, bound);
      if (!isDecided(verdicts[i])) continue;
      somebodyLeft = true;
      --sharing;
    }
  }
  return verdicts;
}

/** Which may be the fastest, list of bool: no other is shown to be quicker. Arguments as of `judgeTogether`. */
export function mayBeFastest(methods, reach) {
  // Of a contender's comparisons all must hold at once, and of each only the one side.
  const sharing = Math.max(1, Math.ceil((methods.length - 1) / 2));
  const isBehind = (values, others) => {
    const behind = values.map((value, i) => value - others[i]);
    return interval(behind, reach(values.length, sharing)).low > 0;
  };
  return methods.map((values) => !methods.some((others) => others !== values && isBehind(values, others)));
}

/**
 * One cell judged: {rows, bound, isSound}, the quickest row first. A row is {contender, ns, ratio, ratio_low, ratio_high,
 * verdict, best}; the empty loop's has no verdict. It is unsound where identical code was told apart. roles: Map contender
 * -> reference, twin, method or empty. Arguments else as of `judgeTogether`. Precondition: there are a reference and a twin.
 */
export function judgeCell(times, roles, margin, reach) {
  const byRole = (role) => [...times.keys()].filter((contender) => roles.get(contender) === role);
  const logs = (contender) => times.get(contender).logs, [reference] = byRole("reference"), [twin] = byRole("twin");
  const byItself = reach(logs(reference).length, 1), same = interval(logs(twin), byItself);
  const bound = Math.expm1(Math.max(Math.abs(same.low), Math.abs(same.high)));
  const methods = byRole("method"), verdicts = judgeTogether(methods.map(logs), margin, bound, reach);
  const [empty] = byRole("empty"), net = (contender) => logs(contender).map((value, i) => value - logs(empty)[i]);
  const isVoid = empty !== undefined && methods.some((contender) => interval(net(contender), byItself).high < 0);
  const ranked = [...methods, reference], fastest = mayBeFastest(ranked.map(logs), reach);
  const verdictOf = { reference: () => "reference", empty: () => "",
                      method: (contender) => isVoid ? "void" : verdicts[methods.indexOf(contender)] };
  const rows = [...ranked, ...byRole("empty")].map((contender) => {
    const [ratio, ratio_low, ratio_high] = ratiosOf(interval(logs(contender), byItself));
    const verdict = verdictOf[roles.get(contender)](contender), best = fastest[ranked.indexOf(contender)] ?? false;
    return { contender, ns: mean(times.get(contender).ns), ratio, ratio_low, ratio_high, verdict, best };
  });
  const isSound = !["faster", "slower"].includes(judge(same, margin, 0));
  return { rows: rows.sort((a, b) => a.ratio - b.ratio), bound, isSound };
}

const ratiosOf = ({ value, low, high }) => [value, low, high].map(Math.exp);
