import { ToolFailure } from "../../wire/tool-failure.ts";

export type ImageFormat = "jpeg" | "png" | "webp" | "gif" | "avif" | "tiff";

/** What a file tells about more than its pixels. `other` is what a program has put there for itself. */
export type MetadataKind =
  "exif" | "gps" | "makernote" | "xmp" | "iptc" | "icc" | "comment" | "resolution" | "other";

/** What the headers of an image say, as stored: an orientation is not applied. */
export interface ImageFacts {
  readonly width: number;
  readonly height: number;
  /** Pictures of an animation; 1 for a still. */
  readonly frames: number;
  /** Pixels that decoding takes, over all frames. */
  readonly pixels: number;
  /** Whether more pictures than an animation's follow, such as further pages. */
  readonly hasMore: boolean;
  readonly metadata: ReadonlySet<MetadataKind>;
}

/** The refusal of an image that is cut or contradicts itself. */
export function damagedImage(why: string): ToolFailure {
  return new ToolFailure("damaged_file", `The image is damaged: ${why}.`);
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The bytes as text, one sign each, up to the end of the file. */
export function latin1(bytes: Uint8Array, { start = 0, end }: { start?: number; end: number }): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
