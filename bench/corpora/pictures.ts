import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import "../../tools/entries/heic.ts";
import { readImageHeader } from "../../tools/image/header.ts";
import { stripMetadata } from "../../tools/image/strip-metadata.ts";
import { convertImage } from "../../tools/image-convert.ts";
import { detectFileType } from "../../tools/file/file-type.ts";
import { mergePdf } from "../../tools/pdf-merge.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { type Comparison, type FileCase, type Difference, isCrash, verdict } from "./compare.ts";
import { drawPicture, likenessOf } from "./facts.ts";
import { ours, qpdfCheck, type ToolOutput } from "./programs.ts";

/** A call of a tool on a picture. */
export interface PictureCall {
  readonly name: string;
  readonly work: (file: Bytes) => Promise<ToolOutput>;
  readonly makes: "a picture" | "a PDF";
  /** How alike the result looks at least, in gray. */
  readonly looks: number;
  readonly isStripped: boolean;
}

const codec = createSharpCodec();
/** MuPDF reads no colour profiles, and draws thin lines otherwise in a page than in a picture. */
const IN_SRGB = 0.75;

export const PICTURE_CALLS: readonly PictureCall[] = [
  {
    name: "image-convert to png",
    work: (file) => convertImage(file, { format: "png", codec }),
    makes: "a picture",
    looks: IN_SRGB,
    isStripped: true,
  },
  {
    name: "image-convert to jpeg",
    work: (file) => convertImage(file, { format: "jpeg", codec }),
    makes: "a picture",
    looks: IN_SRGB,
    isStripped: true,
  },
  {
    name: "image-convert metadata=strip",
    work: async (file) => stripMetadata(file),
    makes: "a picture",
    looks: 1,
    isStripped: true,
  },
  {
    name: "pdf-merge of a picture",
    work: (file) => mergePdf([{ data: file }], { codec }),
    makes: "a PDF",
    looks: IN_SRGB,
    isStripped: false,
  },
];

/** Runs each call on a picture: MuPDF draws before and after, where it can. */
export async function comparePicture(
  comparing: FileCase,
  calls: readonly PictureCall[],
): Promise<Comparison[]> {
  const compared: Comparison[] = [];
  for (const call of calls) compared.push(await compareCall(comparing, call));
  return compared;
}

async function compareCall(comparing: FileCase, call: PictureCall): Promise<Comparison> {
  const { folder, file } = comparing;
  const found: Difference[] = [];
  const made = await ours(
    () => call.work(file),
    (what) => found.push({ what, isLoss: isCrash(what) }),
  );
  if ("refusal" in made) {
    const differences = found.map(({ what }) => what);
    return { call: call.name, result: found.some(({ isLoss }) => isLoss) ? "LOST" : "refused", differences };
  }
  const path = join(folder, call.makes === "a PDF" ? "result.pdf" : `result.${detectFileType(made.bytes)}`);
  writeFileSync(path, made.bytes);
  if (call.makes === "a PDF") found.push(...(await compareSyntax(comparing, path)));
  if (call.isStripped) found.push(...(await compareMetadata(made.bytes)));
  found.push(...(await compareLooks(comparing, { call, path })));
  return { ...verdict(call, found), sizes: [file.length, made.bytes.length] };
}

async function compareSyntax({ judges }: FileCase, path: string): Promise<Difference[]> {
  const check = judges.has("qpdf") ? await qpdfCheck(path) : "clean";
  return check === "clean" ? [] : [{ what: `qpdf --check: ${check}`, isLoss: true }];
}

/** The orientation is a block of Exif with one field. */
const ORIENTATION_BYTES = 40;

async function compareMetadata(result: Uint8Array): Promise<Difference[]> {
  const { exif, xmp, iptc, comments } = await sharp(result).metadata();
  const left = Object.entries({ xmp, iptc, comments }).flatMap(([name, value]) => (value ? [name] : []));
  if ((exif?.length ?? 0) > ORIENTATION_BYTES) left.push("exif");
  return left.length > 0 ? [{ what: `metadata left: ${left.join(", ")}`, isLoss: true }] : [];
}

/** Each program enlarges icons in its own way. */
const LEAST_SIDE = 64;

async function compareLooks(
  { path: original, file, judges }: FileCase,
  { call, path }: { readonly call: PictureCall; readonly path: string },
): Promise<Difference[]> {
  if (!judges.has("mutool")) return [];
  const { width, height } = readImageHeader(file);
  const before = await drawPicture(original);
  if (!before || (call.looks < 1 && Math.min(width, height) < LEAST_SIDE)) return [];
  const alike = likenessOf(before, await drawPicture(path));
  return alike >= call.looks ? [] : [{ what: `looks ${alike.toFixed(3)} in MuPDF`, isLoss: true }];
}
