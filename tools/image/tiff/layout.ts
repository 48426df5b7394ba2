import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { Entry } from "../readers/exif.ts";
import { canDecompress } from "./decompress.ts";
import { COMPRESSION, PHOTOMETRIC, SEPARATE_PLANES, TAG } from "./tags.ts";

export type Entries = ReadonlyMap<number, Entry>;

/** The arrangement of samples in a TIFF (TIFF 6.0, sections 8 and 15). */
export interface TiffLayout {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  /** The samples that are colors, and the transparency; the meaning of others is unknown. */
  readonly kept: readonly number[];
  /** The kind of transparency in ExtraSamples (TIFF 6.0, section 18). */
  readonly alpha: typeof ASSOCIATED | typeof UNASSOCIATED | undefined;
  readonly bits: number;
  readonly compression: number;
  readonly photometric: number;
  readonly predictor: number;
  /** Whether each color is stored separately. */
  readonly isSplit: boolean;
  readonly isTiled: boolean;
  /** The width of a tile, or of a strip. */
  readonly pieceWidth: number;
  readonly pieceHeight: number;
  readonly across: number;
  readonly down: number;
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
}

export function readLayout(entries: Entries): TiffLayout {
  const values = (tag: number) => entries.get(tag)?.values ?? [];
  const number = (tag: number, otherwise: number) => values(tag)[0] ?? otherwise;
  const [width, height] = [number(TAG.width, 0), number(TAG.height, 0)];
  const isTiled = entries.has(TAG.tileOffsets);
  const pieceWidth = isTiled ? number(TAG.tileWidth, 0) : width;
  const pieceHeight = isTiled
    ? number(TAG.tileHeight, 0)
    : Math.min(height, number(TAG.rowsPerStrip, height));
  const samples = number(TAG.samples, 1);
  const photometric = number(TAG.photometric, 0);
  return {
    width,
    height,
    samples,
    ...keptOf(samples, photometric, values(TAG.extraSamples)),
    bits: number(TAG.bits, 1),
    compression: number(TAG.compression, 0) || COMPRESSION.none,
    photometric,
    predictor: number(TAG.predictor, 1),
    isSplit: number(TAG.planar, 1) === SEPARATE_PLANES,
    isTiled,
    pieceWidth,
    pieceHeight,
    across: Math.ceil(width / Math.max(1, pieceWidth)),
    down: Math.ceil(height / Math.max(1, pieceHeight)),
    offsets: values(isTiled ? TAG.tileOffsets : TAG.stripOffsets),
    lengths: values(isTiled ? TAG.tileLengths : TAG.stripLengths),
  };
}

const [ASSOCIATED, UNASSOCIATED] = [1, 2] as const;

/** The number of color samples in a photometric interpretation. */
function colorsOf(photometric: number): number {
  if (photometric === PHOTOMETRIC.separated) return 4;
  return photometric <= PHOTOMETRIC.black || photometric === PHOTOMETRIC.palette ? 1 : 3;
}

/** Without ExtraSamples one more sample counts as transparency, as in all programs. */
function keptOf(
  samples: number,
  photometric: number,
  extra: readonly number[],
): Pick<TiffLayout, "kept" | "alpha"> {
  const colors = Math.min(samples, colorsOf(photometric));
  const first = samples - extra.length;
  const found = extra.findIndex((kind) => kind === ASSOCIATED || kind === UNASSOCIATED);
  const alphaAt =
    extra.length === 0 && samples === colors + 1 ? colors : found < 0 ? undefined : first + found;
  const kept = Array.from({ length: colors }, (_, i) => i);
  const alpha = extra[found] === ASSOCIATED ? ASSOCIATED : UNASSOCIATED;
  if (alphaAt === undefined || alphaAt < colors || alphaAt >= samples) return { kept, alpha: undefined };
  return { kept: [...kept, alphaAt], alpha };
}

/** Why libvips cannot read a TIFF that another layout would make readable, undefined where it can. */
export function unreadableLayout(layout: TiffLayout): string | undefined {
  const { bits, compression, photometric, isSplit, isTiled, samples, kept } = layout;
  // libvips takes brightness and color differences for red, green and blue, except in JPEG.
  if (photometric === PHOTOMETRIC.ycbcr && (isSplit || compression !== COMPRESSION.jpeg))
    return "brightness and color differences that are no JPEG";
  // libvips takes the first one for transparency, whatever it is.
  if (kept.length < samples) return "samples that are no colors";
  if (compression === COMPRESSION.zstd) return `the compression ${compression}`;
  if (isSplit && isTiled) return "tiles of one color each";
  if (bits > 8 && bits % 8 !== 0) return `${bits} bits`;
  return photometric === PHOTOMETRIC.cielab && bits === 8 ? "Lab colors of 8 bits" : undefined;
}

const MOST_BITS = 16;
const HORIZONTAL = 2;

/** @throws ToolFailure unsupported_feature for a layout that cannot be rewritten */
export function checkRewritable(layout: TiffLayout, why: string): void {
  const { bits, compression, predictor, samples, isSplit, across, down, offsets, lengths } = layout;
  const hasSides = layout.pieceWidth > 0 && layout.pieceHeight > 0;
  const pieces = across * down * (isSplit ? samples : 1);
  const hasAll = offsets.length >= pieces && lengths.length >= pieces;
  const isSubsampled = layout.photometric === PHOTOMETRIC.ycbcr;
  const isPlain = !isSubsampled && hasSides && bits >= 8 && bits <= MOST_BITS && predictor <= HORIZONTAL;
  if (isPlain && hasAll && canDecompress(compression)) return;
  throw new ToolFailure("unsupported_feature", `A TIFF of ${why} cannot be converted.`);
}
