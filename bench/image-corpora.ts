// Any folder of images beside Pillow, avifdec and heif-convert:
// `npm run bench -- image-corpora FOLDER [every=8] [from=0] [minutes=60] [log=FILE]`. Each is converted to PNG and
// compared pixel by pixel.
import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createSharpCodec } from "../adapters/workers/image-sharp.ts";
import "../tools/entries/heic.ts";
import { convertImage } from "../tools/image-convert.ts";
import { detectFileType } from "../tools/file/file-type.ts";
import type { Bytes } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";

const FORMATS = ["jpeg", "png", "webp", "gif", "avif", "heic", "tiff", "bmp", "ico"];
const MOST_BYTES = 8_000_000;
/** Mean difference of all channels in levels of 255. */
const LEVELS = 2;

/** What the other program says of an image. */
interface Peer {
  readonly refusal?: string;
  readonly mode?: string;
  readonly isManaged?: boolean;
  /** Whether a library under it reported damage. */
  readonly complains?: boolean;
  readonly size?: readonly number[];
  readonly error?: number;
}

interface Row {
  readonly format: string;
  readonly kind: string;
}

/** The images below a folder by content, each `every`-th of them. */
function imagesIn(folder: string, every: number): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = all.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return files.filter((path, i) => i % every === 0 && statSync(path).size < MOST_BYTES);
}

async function ours(image: Bytes): Promise<Bytes | string> {
  try {
    return (await convertImage(image, { format: "png", codec })).bytes;
  } catch (error) {
    return error instanceof ToolFailure ? error.code : `CRASH ${error instanceof Error ? error.message : ""}`;
  }
}

/** The other programs, in a process of their own that is asked one image after another, and begun anew where it ended. */
function startPeer() {
  const script = fileURLToPath(new URL("images/pillow.py", import.meta.url));
  const start = () => {
    const { stdin, stdout } = spawn("/usr/bin/python3", [script], { stdio: ["pipe", "pipe", "inherit"] });
    return { stdin, answers: createInterface(stdout)[Symbol.asyncIterator]() };
  };
  let peer = start();
  return {
    async compare(path: string, result: string): Promise<Peer> {
      peer.stdin.write(`${path}\t${result}\n`);
      const { done, value } = await peer.answers.next();
      // The script is ours, so the shape is known.
      if (!done) return JSON.parse(value) as Peer;
      peer = start();
      return { refusal: "it crashed" };
    },
    end: () => peer.stdin.end(),
  };
}

function kindOf(made: Bytes | string, peer: Peer): string {
  if (peer.refusal !== undefined) return typeof made === "string" ? "refused by both" : "only here";
  if (typeof made === "string")
    return `REFUSED as ${made}${peer.complains ? ", damaged for the peer too" : ""}`;
  if (peer.size) return "SIZE differs";
  const managed = peer.isManaged ? " with a profile or gamma" : "";
  if ((peer.error ?? 0) <= LEVELS) return `same${managed}`;
  return `COLOR differs${managed}`;
}

interface Options {
  readonly every: number;
  /** Where to go on after a run that was stopped by `minutes`. */
  readonly from: number;
  readonly minutes: number;
  /** Takes a line for each image that is not the same in both. */
  readonly log: string | undefined;
}

async function compareAll(folder: string, options: Options): Promise<Row[]> {
  const work = mkdtempSync(join(tmpdir(), "image-corpora-"));
  try {
    return await compareUntil(performance.now() + options.minutes * 60_000, { folder, work, ...options });
  } finally {
    rmSync(work, { recursive: true });
  }
}

interface Run extends Options {
  readonly folder: string;
  readonly work: string;
}

async function compareUntil(end: number, { folder, work, every, from, log }: Run): Promise<Row[]> {
  const peer = startPeer();
  const rows: Row[] = [];
  const paths = imagesIn(folder, every);
  for (const [i, path] of paths.entries()) {
    if (i < from) continue;
    if (performance.now() > end) {
      console.log(`time is up; go on with from=${i} of ${paths.length}`);
      break;
    }
    const image = new Uint8Array(readFileSync(path));
    const format = detectFileType(image);
    if (!FORMATS.includes(format)) continue;
    const made = await ours(image);
    const result = join(work, "ours.png");
    if (typeof made !== "string") writeFileSync(result, made);
    const answer = await peer.compare(path, typeof made === "string" ? "" : result);
    const detail = [answer.refusal, answer.size?.join(" "), answer.error?.toFixed(1), answer.mode].filter(
      (part) => part !== undefined,
    );
    const kind = kindOf(made, answer);
    rows.push({ format, kind });
    if (log && !kind.startsWith("same"))
      appendFileSync(log, `${format}\t${kind}\t${path}\t${detail.join(", ")}\n`);
  }
  peer.end();
  return rows;
}

function print(rows: readonly Row[]): void {
  for (const format of FORMATS) {
    const here = rows.filter((row) => row.format === format);
    if (here.length === 0) continue;
    const opened = here.filter(({ kind }) => !["refused by both", "only here"].includes(kind));
    const refused = opened.filter(({ kind }) => kind.startsWith("REFUSED"));
    const share = ((1 - refused.length / Math.max(1, opened.length)) * 100).toFixed(2);
    console.log(`${format}: ${here.length} images; of ${opened.length} that the peer opens, ${share} % here`);
    for (const [kind, group] of Object.entries(Object.groupBy(here, (row) => row.kind))) {
      console.log(`${String(group?.length).padStart(6)}  ${kind}`);
    }
  }
}

const [folder, ...rest] = process.argv.slice(2);
const textAt = (key: string): string | undefined =>
  rest.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1);
const numberAt = (key: string, otherwise: number): number => Number(textAt(key) ?? otherwise);
const codec = createSharpCodec();
if (!folder) console.log("npm run bench -- image-corpora FOLDER [every=8] [from=0] [minutes=60] [log=FILE]");
else if (spawnSync("/usr/bin/python3", ["-c", "import PIL, numpy"]).status !== 0) {
  console.log("Pillow is not installed; on Debian: apt-get install python3-pil python3-numpy");
} else {
  const options = {
    every: numberAt("every", 1),
    from: numberAt("from", 0),
    minutes: numberAt("minutes", 60),
  };
  print(await compareAll(folder, { ...options, log: textAt("log") }));
}
