import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ApiError } from "../../../router/errors/errors.ts";
import { packedFile, packedFileOf, type PackedFile } from "../../trpc/answer/compressed.ts";
import { codeOf } from "../../operations/key/key-file.ts";
import { PLACES } from "../../places.ts";

/** The built pages; `file` finds nothing until they are built. */
export interface Pages {
  readonly file: (path: string) => PackedFile | undefined;
  /** Scripts that a page loads in addition to the common ones: `pages/docs`, `words/core/en`. */
  readonly scripts: (name: string) => readonly string[];
  readonly state: () => "ready" | "building" | "missing" | "failed";
}

/**
 * Opens the built pages; with `build`, builds them where they are missing or older than their sources. The builder runs
 * beside the server, and ends at once where they are up to date.
 */
export async function openPages(options: { build: boolean; note: (what: string) => void }): Promise<Pages> {
  const { build, note } = options;
  let built = await readBuilt();
  let state: ReturnType<Pages["state"]> = built.files.size > 0 ? "ready" : "missing";
  const { pagesBuilder } = PLACES;
  if (build && pagesBuilder) {
    if (built.files.size === 0) {
      state = "building";
      note("building the pages");
    }
    void runBuilder(pagesBuilder).then(async (isBuilt) => {
      const current = isBuilt ? await readBuilt() : built;
      if (!isBuilt) note("the pages could not be built; npm run build says why");
      else if (current.stamp !== built.stamp) note("the pages are built");
      built = current;
      state = built.files.size > 0 ? "ready" : "failed";
    });
  }
  return {
    file: (path) => built.files.get(path),
    scripts: (name) => built.scripts[name] ?? [],
    state: () => state,
  };
}

interface BuiltPages {
  readonly stamp: string | undefined;
  readonly files: ReadonlyMap<string, PackedFile>;
  readonly scripts: Readonly<Record<string, readonly string[]>>;
}

/** What was read last, shared by all services in a process. */
let last: BuiltPages | undefined;

async function readBuilt(): Promise<BuiltPages> {
  const stamp = await readFile(new URL("stamp.txt", PLACES.pages), "utf8").catch(() => undefined);
  if (stamp === undefined || stamp !== last?.stamp) {
    const lists = await readFile(new URL("preloads.json", PLACES.pages), "utf8").catch(() => "{}");
    // Written by the build.
    const scripts = JSON.parse(lists) as BuiltPages["scripts"];
    last = { stamp, files: await openAll(), scripts };
  }
  return last;
}

async function openAll(): Promise<BuiltPages["files"]> {
  const names = await readdir(PLACES.pages, { recursive: true }).catch(() => []);
  const files = new Map<string, PackedFile>();
  for (const name of names.map((each) => each.replaceAll("\\", "/"))) {
    if (/\.[a-z0-9]+$/.test(name)) files.set(`/${name}`, await openFile(name));
  }
  return files;
}

/**
 * Assets from this size on (codecs and viewers, which few visitors need) are read when they are needed. The others are kept
 * in memory, so that all come from the same version.
 */
const LARGE_BYTES = 64 * 1024;

async function openFile(name: string): Promise<PackedFile> {
  const place = new URL(name, PLACES.pages);
  const isLarge = name.startsWith("assets/") && (await stat(place)).size >= LARGE_BYTES;
  return isLarge
    ? packedFileOf(() => readFile(place).catch(ifGone), goneFile)
    : packedFile(await readFile(place));
}

function ifGone(error: unknown): never {
  if (codeOf(error) === "ENOENT") goneFile();
  throw error;
}

/** Another version was installed or built since the server started. */
function goneFile(): never {
  throw new ApiError("not_found", "There is nothing at this path any more");
}

// A separate process on the same runtime, so that the server answers meanwhile.
function runBuilder(program: URL): Promise<boolean> {
  const path = fileURLToPath(program);
  const args = process.versions.deno ? ["run", "-A", path] : [path];
  const builder = spawn(process.execPath, args, { cwd: fileURLToPath(PLACES.root), stdio: "ignore" });
  const stop = () => void builder.kill();
  process.once("exit", stop);
  return new Promise((resolve) => {
    builder.once("error", () => resolve(false));
    builder.once("exit", (code) => {
      process.off("exit", stop);
      resolve(code === 0);
    });
  });
}
