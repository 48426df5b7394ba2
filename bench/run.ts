// `npm run bench` measures the service, `npm run bench -- all` the tools too, `npm run bench -- NAME …` one of them,
// `npm run bench -- page [NAME …]` all of them, or those, and writes what each says to docs/speed.md.
// Ratios count, not the numbers: each peer is measured in the same run on the same machine.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { benchCalls } from "./service/calls.ts";
import { benchFileSecret } from "./service/file-secret.ts";
import { benchHash } from "./tools/hash.ts";
import { benchOidcLogin } from "./service/oidc-login.ts";
import { writeSpeedPage } from "./page.ts";
import { benchSecrets } from "./service/secrets.ts";
import { benchStart } from "./service/start.ts";

const PARTS: Readonly<Record<string, () => Promise<string[]>>> = {
  calls: benchCalls,
  "file-secret": benchFileSecret,
  hash: benchHash,
  "oidc-login": benchOidcLogin,
  secrets: benchSecrets,
  start: benchStart,
};

/** Programs that take arguments of their own; each gets a process, whose heap nobody else has grown. */
const TOOLS = ["pdf", "pdf-compress", "image-convert", "text-compare", "file-encrypt", "commands"];
const OF_TOOLS = [...TOOLS, "files-per-call", "image-sizes", "checksums", "commits", "pdf-peers"];
const OF_SERVICE = ["light", "beside", "attacks", "mixed", "sweeps", "peers"];
const OF_PAGES = ["long-texts", "first-paint", "interactions"];
const PROGRAMS = [...["weigh", "image-corpora", "adapters"], ...OF_PAGES, ...OF_SERVICE, ...OF_TOOLS];
/** In which folder a program is; one in none is beside this one. */
const FOLDERS = new Map([
  ["adapters", "adapters/"],
  ...OF_PAGES.map((name) => [name, "pages/"] as const),
  ...OF_SERVICE.map((name) => [name, "service/"] as const),
  ...OF_TOOLS.map((name) => [name, "tools/"] as const),
]);

const [name = "service", ...args] = process.argv.slice(2);
const ofService = [...Object.keys(PARTS), "light"];
const ofAll = [...ofService, "beside", ...TOOLS];
if (name === "service" || name === "all") {
  for (const part of name === "all" ? ofAll : ofService) await run(part);
} else if (name === "page") {
  await writeSpeedPage(args.length > 0 ? args : ofAll, ofAll);
} else if (name in PARTS || PROGRAMS.includes(name)) {
  await run(name, args);
} else {
  console.error(
    `There is no bench "${name}"; there are ${[...Object.keys(PARTS), ...PROGRAMS, "page"].join(", ")}`,
  );
  process.exitCode = 2;
}

async function run(part: string, more: readonly string[] = []): Promise<void> {
  console.log(part);
  const measure = PARTS[part];
  if (measure) for (const line of await measure()) console.log(line);
  else runProgram(part, more);
  console.log();
}

function runProgram(program: string, more: readonly string[]): void {
  const path = fileURLToPath(new URL(`./${FOLDERS.get(program) ?? ""}${program}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ["--no-warnings", path, ...more], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
