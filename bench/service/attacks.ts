// What one caller can take from the others: `npm run bench -- attacks`, or node bin/start.mjs bench/service/attacks.ts
// [SECONDS [WORDS OF A NAME]]. Each attack from one address, on every runtime that is here. With MEMORY_MIB=1024 each
// server has only so much memory, as in a container, which takes root.
import { ATTACKS } from "../../test/release/attacks/attacks.ts";
import type { Figures } from "../../test/release/attacks/lights.ts";
import { measureAttack, type Outcome } from "../../test/release/attacks/measure.ts";
import { findRuntimes, type Runtime } from "../../test/support/runtimes.ts";
import { limitMemory } from "../support/memory-limit.ts";

const [seconds = "20", ...words] = process.argv.slice(2).filter((word) => word !== "attacks");
const wanted = ATTACKS.filter(({ name }) => name.includes(words.join(" ")));
for (const attack of wanted) {
  console.log(`\n${attack.name} (${attack.aims})`);
  for (const runtime of findRuntimes()) {
    await withMemory(runtime, async (limited) => {
      const bounds = { runtime: limited, seconds: Number(seconds), most: 20_000 };
      console.log(lineOf(await measureAttack(attack, bounds)));
    });
  }
}

async function withMemory(runtime: Runtime, measure: (runtime: Runtime) => Promise<void>): Promise<void> {
  const { MEMORY_MIB: mebibytes } = process.env;
  if (!mebibytes) return measure(runtime);
  const limited = limitMemory(runtime, Number(mebibytes));
  await measure(limited.runtime).finally(async () => {
    if (limited.kills() > 0) console.log(`  the kernel ended ${limited.kills()} processes`);
    await limited.remove();
  });
}

function lineOf(outcome: Outcome): string {
  const { runtime, before, during, peakMiB, secondsToRecover, hasSurvived } = outcome;
  const parts = [
    `light ${formatFigures(before.light)} -> ${formatFigures(during.light)}`,
    `1 KB ${formatFigures(during.tool)}`,
    `login ${formatFigures(before.login)} -> ${formatFigures(during.login)}`,
    `health at most ${outcome.healthBefore} -> ${outcome.healthDuring} ms`,
    `peak ${peakMiB} MiB`,
    `as before after ${secondsToRecover.toFixed(1)} s`,
  ];
  return `  ${runtime.padEnd(5)} ${hasSurvived ? "" : "DIED "}${parts.join(" | ")}`;
}

function formatFigures({ p50, p99, refused, calls }: Figures): string {
  return `${p50}/${p99} ms${refused > 0 ? ` (${refused} of ${calls} refused)` : ""}`;
}
