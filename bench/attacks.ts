// What one caller can take from the others: `npm run bench -- attacks`, or node bin/start.mjs bench/attacks.ts
// [SECONDS [WORDS OF A NAME]]. Each attack from one address, on every runtime that is here.
import { ATTACKS } from "../test/attacks/attacks.ts";
import type { Figures } from "../test/attacks/lights.ts";
import { measureAttack, type Outcome } from "../test/attacks/measure.ts";
import { findRuntimes } from "../test/runtimes.ts";

const [seconds = "20", ...words] = process.argv.slice(2).filter((word) => word !== "attacks");
const wanted = ATTACKS.filter(({ name }) => name.includes(words.join(" ")));
for (const attack of wanted) {
  console.log(`\n${attack.name} (${attack.aims})`);
  for (const runtime of findRuntimes()) {
    console.log(lineOf(await measureAttack(attack, { runtime, seconds: Number(seconds), most: 20_000 })));
  }
}

function lineOf({ runtime, before, during, peakMiB, secondsToRecover, hasSurvived }: Outcome): string {
  const parts = [
    `light ${formatFigures(before.light)} -> ${formatFigures(during.light)}`,
    `1 KB ${formatFigures(during.tool)}`,
    `login ${formatFigures(during.login)}`,
    `peak ${peakMiB} MiB`,
    `as before after ${secondsToRecover.toFixed(1)} s`,
  ];
  return `  ${runtime.padEnd(5)} ${hasSurvived ? "" : "DIED "}${parts.join(" | ")}`;
}

function formatFigures({ p50, p99, refused, calls }: Figures): string {
  return `${p50}/${p99} ms${refused > 0 ? ` (${refused} of ${calls} refused)` : ""}`;
}
