// Files of tests again and again beside two busy loops: `npm run flake -- FILE…`; without names those that the change
// touches. A test that is repeated elsewhere is not here. FLAKE_ROUNDS is how often, 20 unless it is set.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changedFiles } from "./machine/change.ts";
import { nodePath } from "./support/runtimes.ts";

const ROUNDS = Number(process.env["FLAKE_ROUNDS"] ?? 20);
const BUSY = 2;

const given = process.argv.slice(2);
const files = given.length > 0 ? given : changedFiles().filter((name) => name.endsWith(".test.ts"));
if (files.length === 0) {
  console.log("No test file is touched: name some, as in npm run flake -- test/process/start.test.ts");
  process.exit(0);
}
console.log(`${ROUNDS} rounds beside ${BUSY} busy loops:\n${files.map((file) => `  ${file}`).join("\n")}`);

/** How often each test failed, with the first reason. */
const failed = new Map<string, { times: number; why: string }>();
const report = join(tmpdir(), `hushkit-flake-${process.pid}.json`);
const loops = Array.from({ length: BUSY }, () =>
  spawn(process.execPath, ["-e", "for(;;);"], { stdio: "ignore" }),
);
const endLoops = () => loops.forEach((loop) => void loop.kill("SIGKILL"));
process.once("exit", endLoops);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

for (let round = 1; round <= ROUNDS; round++) {
  const start = performance.now();
  const failures = runOnce();
  for (const [name, why] of failures) {
    const before = failed.get(name);
    failed.set(name, { times: (before?.times ?? 0) + 1, why: before?.why ?? why });
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `round ${round}: ${failures.length === 0 ? "green" : `${failures.length} failed`}, ${seconds} s`,
  );
}
// They would keep this process alive.
endLoops();
rmSync(report, { force: true });
for (const [name, { times, why }] of failed)
  console.log(`failed ${times} of ${ROUNDS}: ${name}\n  ${why.split("\n").slice(0, 8).join("\n  ")}`);
console.log(failed.size === 0 ? "none failed" : `${failed.size} failed at least once`);
process.exitCode = failed.size === 0 ? 0 : 1;

/** Runs the files once; answers what failed and why. */
function runOnce(): (readonly [name: string, why: string])[] {
  const env = { ...process.env, TEST_REPEAT: "no", TEST_REPORT: report };
  const { status } = spawnSync(nodePath(), ["test/run.ts", ...files], {
    stdio: ["ignore", "ignore", "inherit"],
    env,
  });
  const failures = JSON.parse(readFileSync(report, "utf8")) as [string, string][];
  rmSync(report);
  return status === 0 || failures.length > 0 ? failures : [["(the run)", `ended with ${status}`]];
}
