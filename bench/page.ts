import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../docs/speed.md", import.meta.url));
const RUN = fileURLToPath(new URL("run.ts", import.meta.url));
const LOOK_MS = 2000;
/** From this part of the processors on, others disturb what is measured. */
const BUSY_SHARE = 0.1;

/** One part of the benches, and what it has printed. */
export interface MeasuredPart {
  readonly name: string;
  readonly output: string;
  readonly failed: boolean;
  /** The part of the processors that other programs took just before. */
  readonly othersShare: number;
}

interface Machine {
  readonly processors: string;
  readonly memoryBytes: number;
  readonly system: string;
  readonly runtime: string;
}

/** Runs parts of the benches one after the other, and writes the page of figures from what they print. */
export async function writeSpeedPage(names: readonly string[]): Promise<void> {
  const parts: MeasuredPart[] = [];
  for (const name of names) parts.push(await measurePart(name));
  const commit = spawnSync("git", ["log", "-1", "--format=%h"], { encoding: "utf8" }).stdout.trim();
  writeFileSync(PAGE, speedPage(parts, { machine: thisMachine(), date: new Date(), commit }));
  if (parts.some(({ failed }) => failed)) process.exitCode = 1;
}

async function measurePart(name: string): Promise<MeasuredPart> {
  const othersShare = await busyShare();
  // A process of its own, whose heap no part before has grown.
  const child = spawn(process.execPath, ["--no-warnings", RUN, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { name, output, failed: status !== 0, othersShare };
}

/** The part of the processors that is used while this program waits. */
async function busyShare(): Promise<number> {
  const before = processorTimes();
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((each) => each.times);
  const sum = (of: (each: (typeof times)[number]) => number) =>
    times.reduce((all, each) => all + of(each), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  };
}

function thisMachine(): Machine {
  const all = cpus();
  return {
    processors: `${all.length} × ${all[0]?.model ?? "unknown"}`,
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()} ${process.arch}`,
    runtime: `Node ${process.versions.node}`,
  };
}

/** The page, in Markdown: the machine and the date, and of each part its command and what it printed. */
export function speedPage(
  parts: readonly MeasuredPart[],
  { machine, date, commit }: { machine: Machine; date: Date; commit: string },
): string {
  const { processors, memoryBytes, system, runtime } = machine;
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
  const day = date.toISOString().slice(0, 10);
  const sections = parts.map((part) => `## ${part.name}\n\n${warningOf(part)}${measured(part)}`);
  return [
    "# Figures",
    "`npm run bench -- page` writes this page; nothing in it is written by hand. `x` is a ratio to the peer that was measured in the same run on the same machine: compare the ratios, not the numbers.",
    `Measured on ${day} at commit ${commit}, on ${processors}, ${memory} of memory, ${system}, ${runtime}.`,
    ...sections,
  ]
    .join("\n\n")
    .concat("\n");
}

function warningOf({ othersShare, failed }: MeasuredPart): string {
  const percent = Math.round(othersShare * 100);
  const busy =
    othersShare >= BUSY_SHARE
      ? `**Noise:** other programs took ${percent} % of the processors when this began. Measure again on a quiet machine.\n\n`
      : "";
  return failed ? `${busy}**Failed:** the bench did not come to its end.\n\n` : busy;
}

// Fences longer than any that a bench prints.
function measured({ name, output }: MeasuredPart): string {
  const lines = output.split("\n").map((line) => line.trimEnd());
  const shown = lines[0] === name ? lines.slice(1) : lines;
  return `\`npm run bench -- ${name}\`\n\n\`\`\`\`text\n${shown.join("\n").trim()}\n\`\`\`\``;
}
