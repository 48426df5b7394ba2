import { existsSync } from "node:fs";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { PLACES } from "../places.ts";

/** A semi-space of V8. Left alone it grows until a PDF in object streams needs 1.4 to 1.9 times the memory (Node 24). */
const YOUNG_MEGABYTES = 16;

export interface WorkerNeeds {
  /** The module whose `jobs` the worker runs; the files beside it can be read. */
  readonly jobsModule: URL;
  readonly heapMegabytes?: number | undefined;
  /** Whether it loads native code, as sharp is. */
  readonly isNative?: boolean | undefined;
}

/**
 * What this runtime is started with so that a worker may do the least: read its code and the libraries, and compute.
 * SECURITY.md has the table of what each runtime refuses, and test/adapters/workers/permissions.test.ts tries it.
 */
export function listFlags({ jobsModule, heapMegabytes, isNative }: WorkerNeeds): string[] {
  // Bun 1.4 has no permissions and no limit of a heap. The executable, which is its own worker, takes no flags.
  if (process.versions["bun"]) return [];
  const heap = [`--max-semi-space-size=${YOUNG_MEGABYTES}`];
  if (heapMegabytes) heap.push(`--max-old-space-size=${heapMegabytes}`);
  const paths = [...PLACES.code, new URL(".", jobsModule)].map((each) => fileURLToPath(each));
  const readable = [...paths, ...libraries()];
  return process.versions["deno"]
    ? flagsOfDeno(heap, { readable, isNative })
    : [...heap, ...flagsOfNode({ readable, isNative })];
}

interface Permissions {
  readonly readable: readonly string[];
  readonly isNative: boolean | undefined;
}

/** A folder with no `.env`, which Bun reads where it starts, and without anything else of the operator's. */
export const WORKER_FOLDER = parse(process.execPath).root;

// Writing, other programs, threads, native code, WASI and the inspector are refused by the first flag alone, and from
// Node 25 on the network too. Descriptors that are open already, such as the pipes, can be used.
function flagsOfNode({ readable, isNative }: Permissions): string[] {
  const flags = ["--permission", ...readable.map((path) => `--allow-fs-read=${path}`)];
  if (isNative) flags.push("--allow-addons");
  return flags;
}

function flagsOfDeno(heap: readonly string[], { readable, isNative }: Permissions): string[] {
  // Deno separates paths by commas; two stand for one.
  const list = (paths: readonly string[]) => paths.map((path) => path.replaceAll(",", ",,")).join(",");
  // A process there inherits the environment whatever `env` says, so it is hidden; a library may ask for it.
  const permissions = ["--no-prompt", `--allow-read=${list(readable)}`, "--ignore-env"];
  if (isNative) permissions.push(`--allow-ffi=${list(libraries())}`, "--allow-sys");
  const fetchNothing = ["--no-lock", "--no-remote", "--cached-only"];
  return ["run", "--quiet", ...fetchNothing, ...permissions, `--v8-flags=${heap.join(",")}`];
}

/** All folders in which a library is looked for, from this program's own up. */
function libraries(): string[] {
  const folders: string[] = [];
  for (let at = PLACES.root; ; at = new URL("..", at)) {
    const folder = fileURLToPath(new URL("node_modules/", at));
    if (existsSync(folder)) folders.push(folder);
    if (at.pathname === new URL("..", at).pathname) return folders;
  }
}
