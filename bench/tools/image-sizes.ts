// Sizes at equal SSIM: what cwebp, avifenc and cjpeg need to look as near to a picture as ours of the default quality.
// `npm run bench -- image-sizes FOLDER [most=8] [width=640]` with photographs below the folder.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import { ssimOf } from "../support/ssim.ts";
import { avifEffort, convertImage, type TargetFormat } from "../../tools/image-convert.ts";

const [folder, ...rest] = process.argv.slice(2);
const numberAt = (key: string, otherwise: number): number =>
  Number(rest.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1) ?? otherwise);
const most = numberAt("most", 8);
const width = numberAt("width", 640);
const codec = createSharpCodec();
const work = mkdtempSync(join(tmpdir(), "image-sizes-"));
const [png, ppm, out] = ["source.png", "source.ppm", "out"].map((name) => join(work, name)) as [
  string,
  string,
  string,
];

interface Peer {
  readonly name: string;
  readonly format: TargetFormat;
  readonly most: number;
  /** The arguments for a quality of 0 to `most`, the highest being the best. */
  readonly args: (quality: number, pixels: number) => readonly string[];
}

const PEERS: readonly Peer[] = [
  {
    name: "cwebp",
    format: "webp",
    most: 100,
    args: (q) => ["-quiet", "-q", `${q}`, "-m", "4", png, "-o", out],
  },
  {
    name: "avifenc",
    format: "avif",
    most: 63,
    // Its speeds run the other way than the engine's efforts, from 10.
    args: (q, pixels) => [
      ...[
        "--min",
        `${63 - q}`,
        "--max",
        `${63 - q}`,
        "-s",
        `${9 - avifEffort(pixels)}`,
        "-y",
        "444",
        "-j",
        "1",
      ],
      ...[png, out],
    ],
  },
  {
    name: "cjpeg",
    format: "jpeg",
    most: 100,
    args: (q) => ["-quality", `${q}`, "-optimize", "-progressive", "-outfile", out, ppm],
  },
];

if (!folder) console.log("npm run bench -- image-sizes FOLDER [most=8] [width=640]");
else await compareFolder(folder);
rmSync(work, { recursive: true });

async function compareFolder(of: string): Promise<void> {
  const names = readdirSync(of, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.jpe?g$/i.test(name),
  );
  const step = Math.max(1, Math.floor(names.length / most));
  const ratios = new Map<string, number[]>();
  const note = (name: string, ratio: number | undefined): void => {
    if (ratio !== undefined) ratios.set(name, [...(ratios.get(name) ?? []), ratio]);
  };
  const taken = names.sort().filter((_, i) => i % step === 0);
  for (const name of taken.slice(0, most)) {
    const source = await resize(readFileSync(join(of, name)));
    writeFileSync(png, source);
    writePpm(await sharp(source).raw().toBuffer({ resolveWithObject: true }));
    for (const peer of PEERS) note(peer.name, await compare(peer));
    note("optipng", await comparePng(source));
  }
  for (const [name, all] of ratios) {
    const mean = Math.exp(all.reduce((sum, ratio) => sum + Math.log(ratio), 0) / all.length);
    const range = `${Math.min(...all).toFixed(3)} to ${Math.max(...all).toFixed(3)}`;
    console.log(`${name.padEnd(8)} ${all.length} pictures, ours ${mean.toFixed(3)} x its size, ${range}`);
  }
}

function resize(photograph: Buffer): Promise<Buffer> {
  const small = sharp(photograph).autoOrient().resize({ width });
  return small.removeAlpha().toColourspace("srgb").png({ compressionLevel: 1 }).toBuffer();
}

async function comparePng(source: Buffer): Promise<number> {
  const { bytes } = await convertImage(new Uint8Array(source), { format: "png", codec });
  const { status } = spawnSync("optipng", ["-quiet", "-force", "-o2", png]);
  if (status !== 0) throw new Error("optipng is not installed, or failed");
  return bytes.length / readFileSync(png).length;
}

function writePpm({ data, info }: { data: Buffer; info: { width: number; height: number } }): void {
  writeFileSync(ppm, Buffer.concat([Buffer.from(`P6\n${info.width} ${info.height}\n255\n`), data]));
}

/** Our size as a part of the least that the peer needs for the same SSIM, between the two qualities next to it. */
async function compare(peer: Peer): Promise<number | undefined> {
  const source = readFileSync(png);
  const { bytes } = await convertImage(new Uint8Array(source), { format: peer.format, codec });
  const wanted = await similarity(source, Buffer.from(bytes));
  const { width: w = 0, height: h = 0 } = await sharp(source).metadata();
  let [below, above] = [0, peer.most];
  let [low, high] = [await makeAt(peer, below, w * h), await makeAt(peer, above, w * h)];
  if (low.similarity > wanted || high.similarity < wanted) return undefined;
  while (above - below > 1) {
    const middle = (above + below) >> 1;
    const made = await makeAt(peer, middle, w * h);
    if (made.similarity < wanted) [below, low] = [middle, made];
    else [above, high] = [middle, made];
  }
  const share = (wanted - low.similarity) / (high.similarity - low.similarity || 1);
  return bytes.length / (low.bytes + share * (high.bytes - low.bytes));
}

async function makeAt(peer: Peer, quality: number, pixels: number) {
  const { status } = spawnSync(peer.name, peer.args(quality, pixels));
  if (status !== 0) throw new Error(`${peer.name} is not installed, or failed`);
  const made = readFileSync(out);
  return { bytes: made.length, similarity: await similarity(readFileSync(png), made) };
}

/** SSIM of the luma. */
async function similarity(a: Buffer, b: Buffer): Promise<number> {
  return ssimOf(await lumaOf(a), await lumaOf(b));
}

async function lumaOf(image: Buffer) {
  const { data, info } = await sharp(image).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
