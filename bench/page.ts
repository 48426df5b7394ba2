import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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

/**
 * Runs parts of the benches one after the other, and writes each into the page of figures when it has been measured. The
 * sections of other parts stay as they are, each with its own date; `order` is that of the page.
 */
export async function writeSpeedPage(names: readonly string[], order: readonly string[]): Promise<void> {
  for (const name of names) {
    const part = await measurePart(name);
    const commit = spawnSync("git", ["log", "-1", "--format=%h"], { encoding: "utf8" }).stdout.trim();
    const about = { machine: thisMachine(), date: new Date(), commit };
    const before = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
    writeFileSync(PAGE, withSection(before, { part, about, order }));
    if (part.failed) process.exitCode = 1;
  }
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

interface MeasuredWhere {
  readonly machine: Machine;
  readonly date: Date;
  readonly commit: string;
}

const HEAD = [
  "# Figures",
  "`npm run bench -- page [NAME …]` writes this page, each section when its part has been measured; nothing in it is written by hand. `x` is a ratio to the peer that was measured in the same run on the same machine: compare the ratios, not the numbers.",
];

/** The page, in Markdown, with this part in place of its section: when and where it was measured, and what it printed. */
export function withSection(
  page: string,
  { part, about, order }: { part: MeasuredPart; about: MeasuredWhere; order: readonly string[] },
): string {
  const sections = new Map(
    [...page.matchAll(/^## (\S+)\n[^]*?\n(`{4})text\n[^]*?\n\2$/gm)].map(([whole, name = ""]) => [
      name,
      whole,
    ]),
  );
  sections.set(part.name, `## ${part.name}\n\n${measuredOn(about)}\n\n${warningOf(part)}${measured(part)}`);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const names = [...sections.keys()].toSorted((a, b) => place(a) - place(b));
  return [...HEAD, ...names.map((name) => sections.get(name))].join("\n\n").concat("\n");
}

function measuredOn({ machine, date, commit }: MeasuredWhere): string {
  const { processors, memoryBytes, system, runtime } = machine;
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
  const day = date.toISOString().slice(0, 10);
  return `Measured on ${day} at commit ${commit}, on ${processors}, ${memory} of memory, ${system}, ${runtime}.`;
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
