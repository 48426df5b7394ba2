// The doors: `npm run bench`. With `-- all` the tools too, each of which can also be run alone.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { benchDoors } from "./doors.ts";
import { benchHash } from "./hash.ts";
import { benchLight } from "./light.ts";
import { benchSecrets } from "./secrets.ts";
import { benchStart } from "./start.ts";

const TOOLS = ["pdf.ts", "image-convert.ts", "text-compare.ts", "file-encrypt.ts"];

// Ratios count, not the numbers: each peer is measured in the same run on the same machine.
for (const part of [benchDoors, benchHash, benchSecrets, benchStart, benchLight]) {
  for (const line of await part()) console.log(line);
  console.log();
}

// Each in a process of its own, whose heap nobody else has grown.
for (const tool of process.argv.includes("all") ? TOOLS : []) {
  console.log(tool);
  const path = fileURLToPath(new URL(tool, import.meta.url));
  spawnSync(process.execPath, ["--no-warnings", path], { stdio: "inherit" });
  console.log();
}
