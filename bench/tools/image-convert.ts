// Converts a photograph-like JPEG beside sharp called directly with the same settings, and beside cwebp, avifenc
// and ImageMagick where they are installed. Run alone: node bin/start.mjs bench/tools/image-convert.ts [megapixels]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import "../../tools/entries/heic.ts";
import { avifEffort, avifQuality, convertImage } from "../../tools/image-convert.ts";
import { makePhotograph } from "../images/photograph.ts";

const megapixels = Number(process.argv[2] ?? 4);
const ROUNDS = 6;
const width = Math.round(Math.sqrt(megapixels * 1.5e6));
const height = Math.round(width / 1.5);
const quality = 82;

const drawing = await makeDrawing();
const codec = createSharpCodec();
const folder = mkdtempSync(join(tmpdir(), "bench-image-"));
const source = await makePhotograph(width, height);
const sourcePath = join(folder, "source.jpg");
const plainPath = join(folder, "source.png");
writeFileSync(sourcePath, source);
writeFileSync(plainPath, await sharp(source).png({ compressionLevel: 1 }).toBuffer());

const effort = avifEffort(width * height);
const direct: Record<"webp" | "jpeg" | "png" | "avif", (image: Sharp) => Sharp> = {
  webp: (image) => image.webp({ quality, effort: 4 }),
  jpeg: (image) => image.flatten({ background: "#ffffff" }).jpeg({ quality, progressive: true }),
  png: (image) => image.png({ compressionLevel: 6, adaptiveFiltering: true }),
  avif: (image) => image.avif({ quality: avifQuality(quality), effort, chromaSubsampling: "4:4:4" }),
};

/** Programs by the format they make; avifenc's speed 9 is the engine's effort 0, its quantizer 21 quality 66. */
const programs: [format: keyof typeof direct, command: string, args: string[], check: string][] = [
  ["webp", "cwebp", ["-quiet", "-q", "82", "-m", "4", sourcePath, "-o", "OUT"], "-version"],
  [
    "avif",
    "avifenc",
    ["--min", "21", "--max", "21", "-s", String(9 - effort), "-y", "444", "-j", "1", sourcePath, "OUT"],
    "--version",
  ],
  ["webp", "convert", [sourcePath, "-strip", "-quality", "82", "OUT"], "-version"],
  ["jpeg", "convert", [plainPath, "-strip", "-quality", "82", "OUT"], "-version"],
  ["png", "convert", [sourcePath, "-strip", "OUT"], "-version"],
  ["avif", "convert", [sourcePath, "-strip", "-quality", "66", "OUT"], "-version"],
];

try {
  console.log(
    `${width} x ${height} from a JPEG of ${source.length} bytes, quality ${quality}, best of ${ROUNDS}`,
  );
  for (const format of ["webp", "jpeg", "png", "avif"] as const) await compare(format);
  await compareKept();
  await compareHeic();
} finally {
  rmSync(folder, { recursive: true });
}

async function compare(format: keyof typeof direct): Promise<void> {
  // Turn by turn, so that a busy machine is busy for both.
  let [ours, theirs] = [Infinity, Infinity];
  let [ourSize, theirSize] = [0, 0];
  for (let i = 0; i < ROUNDS; i++) {
    const byTool = async () => (await convertImage(source, { format, codec })).bytes;
    const byEngine = () => direct[format](sharp(source, { failOn: "error" }).autoOrient()).toBuffer();
    for (const work of i % 2 ? [byTool, byEngine] : [byEngine, byTool]) {
      const [ms, size] = await time(work);
      if (work === byTool) [ours, ourSize] = [Math.min(ours, ms), size];
      else [theirs, theirSize] = [Math.min(theirs, ms), size];
    }
  }
  print(`${format}: sharp directly`, { ms: theirs, size: theirSize }, theirs);
  print(`${format}: convertImage`, { ms: ours, size: ourSize }, theirs);
  for (const [made, command, args, check] of programs) {
    if (made === format) print(`${format}: ${command}`, runProgram(command, { args, check, format }), theirs);
  }
}

/** PNG to PNG: what is left away of palettes, gray, alpha and drawings, beside `optipng -o2`. */
async function compareKept(): Promise<void> {
  const small = sharp(source).resize(800);

  const kinds = {
    photograph: await small.clone().png().toBuffer(),
    palette: await small.clone().png({ palette: true }).toBuffer(),
    gray: await small.clone().toColourspace("b-w").png().toBuffer(),
    "gray as RGB": await small.clone().grayscale().toColourspace("srgb").png().toBuffer(),
    "opaque RGBA": await small.clone().ensureAlpha().png().toBuffer(),
    "drawing of few colors": await sharp(drawing).png().toBuffer(),
    "drawing, blurred": await sharp(drawing).blur(2).png().toBuffer(),
  };
  for (const [kind, image] of Object.entries(kinds)) {
    const path = join(folder, "kept.png");
    writeFileSync(path, image);
    const { bytes } = await convertImage(new Uint8Array(image), { format: "png", codec });
    const isHere = spawnSync("optipng", ["-quiet", "-force", "-o2", path]).status === 0;
    const best = isHere ? `${(bytes.length / readFileSync(path).length).toFixed(2)} x optipng -o2` : "";
    console.log(`png: ${kind.padEnd(22)} ${bytes.length} bytes  ${best}`);
  }
}

/** Text-like black lines and a few plain areas. */
async function makeDrawing(): Promise<Buffer> {
  const lines = Array.from(
    { length: 60 },
    (_, i) => `<text x="20" y="${i * 12}" font-size="11">Line ${i * 7919} of a page ${i ** 3}</text>`,
  );
  const areas = `<rect width="900" height="720" fill="#fff"/><circle cx="600" cy="300" r="200" fill="#48c"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="720">${areas}${lines.join("")}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

/** A HEIC to JPEG beside heif-convert, which is native where ours is WebAssembly. */
async function compareHeic(): Promise<void> {
  const path = join(folder, "source.heic");
  if (spawnSync("heif-enc", ["-q", "80", plainPath, "-o", path]).status !== 0)
    return console.log("heif-enc is not installed");
  const image = new Uint8Array(readFileSync(path));
  const out = join(folder, "out.jpg");
  const native = await time(async () => (spawnSync("heif-convert", [path, out]), readFileSync(out)));
  const ours = await time(async () => (await convertImage(image, { format: "jpeg", codec })).bytes);
  print("heic to jpeg: heif-convert", { ms: native[0], size: native[1] }, native[0]);
  print("heic to jpeg: convertImage", { ms: ours[0], size: ours[1] }, native[0]);
}

async function time(work: () => Promise<Uint8Array>): Promise<[ms: number, size: number]> {
  const start = performance.now();
  const { length } = await work();
  return [performance.now() - start, length];
}

interface Call {
  readonly args: readonly string[];
  readonly check: string;
  readonly format: string;
}

function runProgram(
  command: string,
  { args, check, format }: Call,
): { ms: number; size: number } | undefined {
  if (spawnSync(command, [check]).status !== 0) return undefined;
  const out = join(folder, `out.${format}`);
  const start = performance.now();
  const { status } = spawnSync(
    command,
    args.map((arg) => (arg === "OUT" ? out : arg)),
  );
  return status === 0 ? { ms: performance.now() - start, size: readFileSync(out).length } : undefined;
}

function print(name: string, result: { ms: number; size: number } | undefined, base: number): void {
  if (!result) return console.log(`${name.padEnd(26)} not installed, or without this format`);
  const ms = `${result.ms.toFixed(0).padStart(7)} ms`;
  console.log(
    `${name.padEnd(26)} ${ms}  ${(result.ms / base).toFixed(2).padStart(6)} x  ${result.size} bytes`,
  );
}
