import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { packedFile, type PackedFile } from "../../trpc/answer/compressed.ts";
import { PLACES } from "../../places.ts";

/** The built pages in memory; `file` finds nothing until they are built. */
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
  let files = await readFiles();
  let state: ReturnType<Pages["state"]> = files.size > 0 ? "ready" : "missing";
  const { pagesBuilder } = PLACES;
  if (build && pagesBuilder) {
    if (files.size === 0) {
      state = "building";
      note("building the pages");
    }
    void runBuilder(pagesBuilder).then(async (isBuilt) => {
      const current = isBuilt ? await readFiles() : files;
      if (!isBuilt) note("the pages could not be built; npm run build says why");
      else if (stampOf(current) !== stampOf(files)) note("the pages are built");
      files = current;
      state = files.size > 0 ? "ready" : "failed";
    });
  }
  return {
    file: (path) => files.get(path),
    scripts: (name) => scriptsOf(files).get(name) ?? [],
    state: () => state,
  };
}

type Files = ReadonlyMap<string, PackedFile>;
const known = new WeakMap<Files, ReadonlyMap<string, readonly string[]>>();

/** The build's own list, read once. */
function scriptsOf(files: Files): ReadonlyMap<string, readonly string[]> {
  const before = known.get(files);
  if (before) return before;
  const bytes = files.get("/preloads.json")?.bytes;
  // Written by the build.
  const lists = bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string[]>) : {};
  const scripts = new Map(Object.entries(lists));
  known.set(files, scripts);
  return scripts;
}

function stampOf(files: Files): string {
  return new TextDecoder().decode(files.get("/stamp.txt")?.bytes);
}

/** The files that were read last, shared by all services in a process. */
let last: { readonly stamp: string; readonly files: Files } | undefined;

async function readFiles(): Promise<Files> {
  const stamp = await readFile(new URL("stamp.txt", PLACES.pages), "utf8").catch(() => undefined);
  if (stamp === undefined || stamp !== last?.stamp) {
    const files = await readAll();
    last = { stamp: stampOf(files), files };
  }
  return last.files;
}

async function readAll(): Promise<Files> {
  const names = await readdir(PLACES.pages, { recursive: true }).catch(() => []);
  const files = new Map<string, PackedFile>();
  for (const name of names.map((each) => each.replaceAll("\\", "/"))) {
    if (/\.[a-z0-9]+$/.test(name))
      files.set(`/${name}`, packedFile(await readFile(new URL(name, PLACES.pages))));
  }
  return files;
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
