import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { PLACES } from "../places.ts";

/** How a file may be packed, the smaller one first. Browsers take Brotli over https and on localhost only. */
export const CODINGS = ["br", "gzip"] as const;
type Coding = (typeof CODINGS)[number];

/** One file of the pages. It is packed when it is first requested. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: (coding: Coding) => Promise<Uint8Array<ArrayBuffer>>;
}

/** The built pages in memory; `file` finds nothing until they are built. */
export interface Pages {
  readonly file: (path: string) => PageFile | undefined;
  readonly state: () => "ready" | "building" | "missing" | "failed";
}

export interface PagesOptions {
  /** Whether to build them when they are missing or older than their sources. */
  readonly build: boolean;
  readonly note: (what: string) => void;
}

/** Opens the pages as they are built. The builder runs beside the server; it ends at once where they are fresh. */
export async function openPages({ build, note }: PagesOptions): Promise<Pages> {
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
  return { file: (path) => files.get(path), state: () => state };
}

function stampOf(files: ReadonlyMap<string, PageFile>): string {
  return new TextDecoder().decode(files.get("/stamp.txt")?.bytes);
}

async function readFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(PLACES.pages, { recursive: true }).catch(() => []);
  const files = new Map<string, PageFile>();
  for (const name of names.map((each) => each.replaceAll("\\", "/"))) {
    if (/\.[a-z0-9]+$/.test(name))
      files.set(`/${name}`, pageFile(await readFile(new URL(name, PLACES.pages))));
  }
  return files;
}

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);
/** Brotli's best takes a second for each half a megabyte; of what is larger nobody waits for that. */
const BEST_BYTES = 200_000;
const [BEST_QUALITY, FAST_QUALITY] = [11, 6];

const PACKERS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => {
    const quality = bytes.length > BEST_BYTES ? FAST_QUALITY : BEST_QUALITY;
    return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: (bytes) => zip(bytes, { level: 9 }),
};

function pageFile(read: Uint8Array): PageFile {
  const bytes = new Uint8Array(read);
  const made = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();
  const packed = (coding: Coding) => {
    const known = made.get(coding) ?? PACKERS[coding](bytes).then((each) => new Uint8Array(each));
    made.set(coding, known);
    return known;
  };
  return { bytes, packed };
}

// A process of its own, on the same runtime, so that the server answers while it works.
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
