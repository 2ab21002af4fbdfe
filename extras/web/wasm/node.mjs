// SPDX-License-Identifier: MIT
//
// A process run in node: node --no-liftoff node.mjs MODULE TRACE, the plan as JSON on standard input, the result as JSON on
// standard output; one line on standard error and exit status 2 for what is wrong.
import { readFileSync } from "node:fs";
import { processRun } from "./process_run.mjs";

/** The process's CPU time in ms: what other processes take of the CPU is no part of it. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

try {
  const [moduleFile, traceFile] = process.argv.slice(2);
  const plan = JSON.parse(readFileSync(0, "utf8"));
  const result = await processRun(readFileSync(moduleFile), readFileSync(traceFile), plan, () => performance.now(), cpu);
  process.stdout.write(JSON.stringify(result));
} catch (error) {
  process.stderr.write(`${error.message.split("\n")[0]}\n`);
  process.exitCode = 2;
}
