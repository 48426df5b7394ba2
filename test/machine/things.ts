import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import {
  findOldNode,
  findProgram,
  findRuntimeCommand,
  judgeRuntime,
  type Lack,
  type RuntimeName,
} from "../support/runtimes.ts";

/** Where something is that tests use: a path, or a URL. */
export type Found = { readonly at: string } | Lack;

/** What has not answered by then hangs, unless the machine was so busy that nobody can tell: then it has more of these. */
const START_MS = 9_000;
const MOST_WAITS = 6;
/** Of the time of all processors, the part in which a machine that is not busy has nothing to do. */
const IDLE_PART = 0.2;
const POSTGRES_URL = "postgres://postgres@127.0.0.1:5432/test";
const DEBIAN_POSTGRES = "/usr/lib/postgresql";
/** The one without windows does the same in two thirds of the time. */
const CHROMIUMS = ["chromium-headless-shell", "chromium"];
/** Prints an empty page, without the requests that Chromium otherwise sends at every start. */
const CHROMIUM_ARGUMENTS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync", "--no-first-run", "--dump-dom", "about:blank"],
];
// No retries and a short wait where the registry does not answer.
const REGISTRY_ARGUMENTS = ["view", "fflate", "version", "--fetch-retries=0", "--fetch-timeout=8000"];

/** Everything that some machines lack and that a test uses, and how it is found. */
const THINGS = {
  deno: () => runtime("deno"),
  bun: () => runtime("bun"),
  "an old Node": async () => foundAt(findOldNode()),
  Chromium: findChromium,
  // The other one denies notifications.
  "a Chromium with windows": () => starts("chromium", "--version"),
  Firefox: () => starts(process.env.FIREFOX ?? "firefox-esr", "--version"),
  WebKit: findWebkit,
  PostgreSQL: findPostgres,
  initdb: findInitdb,
  pg_dump: () => starts("pg_dump", "--version"),
  pg_restore: () => starts("pg_restore", "--version"),
  pgbouncer: () => starts("pgbouncer", "--version"),
  "the npm registry": findRegistry,
  qpdf: () => starts("qpdf", "--version"),
  poppler: () => starts("pdftotext", "-v"),
  mutool: () => starts("mutool", "-v"),
  patch: () => starts("patch", "--version"),
  "GNU diff": findGnuDiff,
  git: () => starts("git", "--version"),
  age: () => starts("age", "--version"),
  sha256sum: () => starts("sha256sum", "--version"),
  // A container may have the program and forbid what it does.
  strace: () => starts("strace", "-qq", "-e", "trace=none", process.execPath, "--version"),
  nginx: () => starts("nginx", "-v"),
  openssl: () => starts("openssl", "version"),
  caddy: () => starts("caddy", "version"),
  helm: () => starts(process.env.HELM ?? "helm", "version"),
  "systemd-analyze": findSystemdAnalyze,
  python3: () => starts("python3", "--version"),
  curl: () => starts("curl", "--version"),
  bash: () => starts("bash", "--version"),
  zsh: () => starts("zsh", "--version"),
  fish: () => starts("fish", "--version"),
  script: () => starts("script", "--version"),
  zip: () => starts("zip", "-v"),
  unzip: () => starts("unzip", "-v"),
  bsdtar: () => starts("bsdtar", "--version"),
  "7-Zip": () => starts("7zz", "i"),
  "a JDK": findJdk,
} satisfies Record<string, () => Promise<Found>>;

export type Thing = keyof typeof THINGS;
export type Machine = Readonly<Record<Thing, Found>>;

export const THING_NAMES = Object.keys(THINGS) as readonly Thing[];

/** Looks for everything at once. `TEST_MACHINE` is taken for it unseen: what `JSON.stringify` makes of a machine. */
export async function findMachine(): Promise<Machine> {
  if (process.env.TEST_MACHINE) return JSON.parse(process.env.TEST_MACHINE) as Machine;
  return findThings(...THING_NAMES);
}

/** Looks for some of it. */
export async function findThings<Name extends Thing>(
  ...names: readonly Name[]
): Promise<Pick<Machine, Name>> {
  const found = names.map(async (name) => [name, await THINGS[name]()] as const);
  // The names are those that were given.
  return Object.fromEntries(await Promise.all(found)) as Pick<Machine, Name>;
}

/** What was found and what was not, in one line. */
export function describeMachine(machine: Partial<Machine>): string {
  const entries = Object.entries(machine);
  const found = entries.flatMap(([name, thing]) => ("at" in thing ? [name] : []));
  const missing = entries.flatMap(([name, thing]) => ("at" in thing ? [] : [`${name} (${thing.lacks})`]));
  return `found: ${found.join(", ") || "nothing"}; not found: ${missing.join(", ") || "nothing"}`;
}

function foundAt(at: string | undefined): Found {
  return at === undefined ? { lacks: "not found" } : { at };
}

/** A program that begins when it is asked to. */
async function starts(program: string, ...args: string[]): Promise<Found> {
  const at = program.includes("/") ? program : findProgram(program);
  if (!at) return { lacks: "not found" };
  try {
    await answerOf(at, args);
    return { at };
  } catch (error) {
    return { lacks: error === HANGS ? "hangs" : "does not work" };
  }
}

const HANGS = new Error("It has not answered in time");

/** What a program prints. What it has started may hold its output open when it is ended, and nobody waits for that. */
async function answerOf(at: string, args: readonly string[]): Promise<string> {
  const asked = promisify(execFile)(at, args);
  const { stdout } = await inTime(asked, () => asked.child.kill("SIGKILL"));
  return stdout;
}

/** What is answered in time; else it is ended, and HANGS is thrown. */
async function inTime<T>(asked: Promise<T>, end: () => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let [waits, before] = [1, processorTime()];
  const timer = setInterval(() => {
    const now = processorTime();
    const isBusy = now.idle - before.idle < IDLE_PART * (now.all - before.all);
    before = now;
    if (isBusy && waits++ < MOST_WAITS) return;
    end();
    reject(HANGS);
  }, START_MS);
  return Promise.race([asked, late]).finally(() => clearInterval(timer));
}

/** Milliseconds of all processors together since the machine was started; zeros where that cannot be known. */
function processorTime(): { idle: number; all: number } {
  const times = cpus().map((each) => each.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, each) => sum + each, 0);
  return { idle, all };
}

async function runtime(name: RuntimeName): Promise<Found> {
  const command = findRuntimeCommand(name);
  if (!command) return { lacks: "not found" };
  try {
    const found = judgeRuntime(name, command, await answerOf(command, ["--version"]));
    return "command" in found ? { at: found.command } : found;
  } catch (error) {
    return { lacks: error === HANGS ? "hangs" : "does not start" };
  }
}

/** A Chromium that prints an empty page; `CHROMIUM` names another than those on the path. */
export async function findChromium(): Promise<Found> {
  const program = process.env.CHROMIUM ?? CHROMIUMS.find((name) => findProgram(name));
  if (!program) return { lacks: "not found" };
  const found = await starts(program, ...CHROMIUM_ARGUMENTS);
  return "at" in found || found.lacks === "hangs" ? found : { lacks: "does not start" };
}

/** Only what a release can break asks the registry. */
async function findRegistry(): Promise<Found> {
  if (process.env.TEST_SUITE !== "release") return { lacks: "asked before a release only" };
  return starts("npm", ...REGISTRY_ARGUMENTS);
}

async function findWebkit(): Promise<Found> {
  // Neither has an option that only asks for its version.
  return findProgram("Xvfb") ? foundAt(findProgram("WebKitWebDriver")) : { lacks: "no Xvfb" };
}

/** One that judges a unit that is not installed. */
async function findSystemdAnalyze(): Promise<Found> {
  const found = await starts("systemd-analyze", "--version");
  if (!("at" in found)) return found;
  const stdout = await answerOf(found.at, ["--version"]);
  const version = /systemd (\d+)/.exec(stdout)?.[1] ?? "0";
  return Number(version) >= 250 ? found : { lacks: `${version} is older than 250` };
}

/** A Java that runs a program from its source. */
async function findJdk(): Promise<Found> {
  const compiler = await starts("javac", "-version");
  return "at" in compiler ? starts("java", "-version") : compiler;
}

async function findGnuDiff(): Promise<Found> {
  const found = await starts("diff", "--version");
  if (!("at" in found)) return found;
  const stdout = await answerOf(found.at, ["--version"]);
  return stdout.includes("GNU") ? found : { lacks: "another diff" };
}

/** What makes a PostgreSQL that a test may freeze and stop; Debian keeps it off the path. */
async function findInitdb(): Promise<Found> {
  if (process.platform !== "linux") return { lacks: "not on Linux" };
  const known = findProgram("initdb");
  if (known || !findProgram("pg_dump")) return starts(known ?? "initdb", "--version");
  const versions = listFolder(DEBIAN_POSTGRES).toSorted((a, b) => Number(b) - Number(a));
  return starts(join(DEBIAN_POSTGRES, versions[0] ?? "", "bin/initdb"), "--version");
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** A PostgreSQL where a test may make databases; `TEST_POSTGRES_URL` names it. */
export async function findPostgres(): Promise<Found> {
  const at = process.env.TEST_POSTGRES_URL ?? POSTGRES_URL;
  const client = new pg.Client({ connectionString: at });
  const right = "select 1 from pg_roles where rolname = current_user and (rolsuper or rolcreatedb)";
  try {
    await inTime(client.connect(), () => void client.end());
    const { rowCount } = await client.query(right).finally(() => client.end());
    return rowCount === 1 ? { at } : { lacks: "may not make databases" };
  } catch (error) {
    // Refused at the socket, or with PostgreSQL's own code (28P01 is a wrong password).
    const code = error instanceof Error && "code" in error ? String(error.code) : "no answer";
    return { lacks: `${new URL(at).host} answers ${code}` };
  }
}
