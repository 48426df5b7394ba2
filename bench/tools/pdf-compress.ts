// pdf-compress beside Ghostscript's /ebook, which asks for 150 dpi too: size, how near the pages look to the original's
// (SSIM at 100 dpi), the text, and the time; a time of ours is one of a server whose worker is warm.
// Without files: pages of text as a scanner gives them, gray and in color, at 200 and 300 dpi, each as a JPEG and raw.
// npm run bench -- pdf-compress [FILE …]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import { compressPdf } from "../../tools/pdf-compress.ts";
import { makePdf, scannedPage, textPage } from "../support/pdf-files.ts";
import { drawPages, likeness, median, textOf } from "../support/pdf-looks.ts";

const ROUNDS = 3;
const LOOK = { pages: 4, dpi: 100 };
/** The noise of a scanner, in levels. */
const NOISE = 9;
const codec = createSharpCodec();
const folder = mkdtempSync(join(tmpdir(), "bench-pdf-compress-"));
const [ours, theirs] = [join(folder, "ours.pdf"), join(folder, "theirs.pdf")];

interface Measurement {
  readonly size: number;
  readonly ssim: number;
  readonly hasText: boolean;
  readonly ms: number;
}

async function measure(file: string): Promise<{ before: number; our: Measurement; their: Measurement }> {
  let [ourMs, theirMs] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    ourMs = Math.min(ourMs, await timed(() => compress(file)));
    theirMs = Math.min(theirMs, await timed(() => runGhostscript(file)));
  }
  const before = readFileSync(file).length;
  return { before, our: look(file, ours, ourMs), their: look(file, theirs, theirMs) };
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function compress(file: string): Promise<void> {
  writeFileSync(ours, (await compressPdf(new Uint8Array(readFileSync(file)), { codec })).bytes);
}

function runGhostscript(file: string): void {
  const settings = ["-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", "-dNOPAUSE", "-dBATCH", "-dQUIET"];
  execFileSync("gs", [...settings, `-sOutputFile=${theirs}`, file], { stdio: "ignore" });
}

function look(file: string, made: string, ms: number): Measurement {
  const ssim = likeness(drawPages(file, LOOK), drawPages(made, LOOK)) ?? 0;
  return { size: readFileSync(made).length, ssim, hasText: textOf(file) === textOf(made), ms };
}

async function makeScans(): Promise<string[]> {
  const text = join(folder, "text.pdf");
  writeFileSync(text, makePdf(1, textPage));
  const kinds = [200, 300].flatMap((dpi) => ["gray", "color"].map((kind) => ({ dpi, kind })));
  const made = await Promise.all(
    kinds.map(({ dpi, kind }) => makeScan(text, { dpi, isGray: kind === "gray" })),
  );
  return made.flat();
}

async function makeScan(text: string, { dpi, isGray }: { dpi: number; isGray: boolean }): Promise<string[]> {
  const root = join(folder, `scan-${isGray ? "gray" : "color"}-${dpi}`);
  const color = isGray ? ["-gray"] : [];
  execFileSync("pdftoppm", ["-r", String(dpi), ...color, "-singlefile", "-png", text, root]);
  const opened = sharp(readFileSync(`${root}.png`))
    .blur(0.8)
    .toColourspace(isGray ? "b-w" : "srgb");
  const { data, info } = await opened.raw().toBuffer({ resolveWithObject: true });
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    data[i] = Math.min(255, 0.93 * (data[i] ?? 0) + ((state >> 16) % NOISE));
  }
  const { width, height, channels } = info;
  const page = sharp(data, { raw: { width, height, channels } }).toColourspace(isGray ? "b-w" : "srgb");
  const about = { width, height, isGray };
  const jpeg = await page.jpeg({ quality: 88 }).toBuffer();
  writeFileSync(`${root}.pdf`, makePdf(1, scannedPage({ ...about, data: jpeg, filter: "DCTDecode" })));
  const flate = deflateSync(data);
  writeFileSync(`${root}-raw.pdf`, makePdf(1, scannedPage({ ...about, data: flate, filter: "FlateDecode" })));
  return [`${root}.pdf`, `${root}-raw.pdf`];
}

const files = process.argv.slice(2);
if (spawnSync("gs", ["--version"]).status !== 0) {
  console.log("pdf-compress is compared with Ghostscript (gs), which is not installed");
} else {
  if (files.length === 0) files.push(...(await makeScans()));
  console.log(`${"KB before, ours, of gs'".padEnd(32)}SSIM ours   of gs     text    ms, of gs'`);
  const all: Measurement[][] = [];
  for (const file of files) {
    const { before, our, their } = await measure(file);
    all.push([our, their]);
    const kb = (bytes: number) => (bytes / 1024).toFixed(0).padStart(8);
    const text = `${our.hasText ? "same" : "other"}/${their.hasText ? "same" : "other"}`;
    console.log(
      `${kb(before)}${kb(our.size)}${(our.size / their.size).toFixed(2).padStart(7)} x` +
        `${our.ssim.toFixed(4).padStart(14)}${their.ssim.toFixed(4).padStart(9)}  ${text}` +
        `${our.ms.toFixed(0).padStart(8)}${(our.ms / their.ms).toFixed(2).padStart(7)} x  ${basename(file).slice(-40)}`,
    );
  }
  const ratios = (key: "size" | "ms" | "ssim") =>
    all.map(([our, their]) => (our?.[key] ?? 0) / (their?.[key] || 1));
  console.log(
    `median: ${median(ratios("size"))} of the size, ${median(ratios("ssim"))} of the SSIM, ${median(ratios("ms"))} of the time`,
  );
}
rmSync(folder, { recursive: true });
