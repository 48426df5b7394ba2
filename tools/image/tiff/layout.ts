import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { Entry } from "../readers/exif.ts";
import { canDecompress } from "./decompress.ts";
import { COMPRESSION, PHOTOMETRIC, SEPARATE_PLANES, TAG } from "./tags.ts";

export type Entries = ReadonlyMap<number, Entry>;

/** How the samples of a TIFF lie in its file (TIFF 6.0, sections 8 and 15). */
export interface TiffLayout {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly bits: number;
  readonly compression: number;
  readonly photometric: number;
  readonly predictor: number;
  /** Whether each color lies by itself. */
  readonly isSplit: boolean;
  readonly isTiled: boolean;
  /** Of a tile, or of a strip. */
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
  return {
    width,
    height,
    samples: number(TAG.samples, 1),
    bits: number(TAG.bits, 1),
    compression: number(TAG.compression, 0) || COMPRESSION.none,
    photometric: number(TAG.photometric, 0),
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

/** Why libvips cannot read a TIFF that another layout would make readable, undefined where it can. */
export function unreadableLayout(layout: TiffLayout): string | undefined {
  const { bits, compression, photometric, isSplit, isTiled } = layout;
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
  const isPlain = hasSides && bits >= 8 && bits <= MOST_BITS && predictor <= HORIZONTAL;
  if (isPlain && hasAll && canDecompress(compression)) return;
  throw new ToolFailure("unsupported_feature", `A TIFF of ${why} cannot be converted.`);
}
