import type { Bytes } from "../../../wire/bytes.ts";
import type { Placement } from "../../image/readers/placement.ts";

/** Samples of an image as an image XObject holds them (ISO 32000-1, 8.9.5). */
export interface Samples {
  readonly width: number;
  readonly height: number;
  /** Bits of a component: 1, 2, 4, 8 or 16. */
  readonly bits: number;
  /** /Filter and what else undoes it, as it stands in the dictionary. */
  readonly coding: string;
  readonly data: Uint8Array;
}

/** An image that becomes a page. */
export interface Picture extends Samples {
  /** Components of a pixel; with a palette, of its colors. */
  readonly components: 1 | 3 | 4;
  /** Red, green and blue of each index. */
  readonly palette?: Bytes | undefined;
  /** The ICC profile of its colors. */
  readonly profile?: Uint8Array | undefined;
  /** Samples stand for less ink the larger they are. */
  readonly isInverted?: boolean;
  /** The color that is not painted, a number for each component. */
  readonly colorKey?: readonly number[] | undefined;
  /** How opaque each pixel is, in one component. */
  readonly alpha?: Samples | undefined;
  readonly placement: Placement;
}

const SIGNATURES = ["", "GRAY", "", "RGB ", "CMYK"];

/** The profile, if it is of images with so many components (ICC.1:2022, 7.2.6). */
export function fittingProfile(profile: Uint8Array | undefined, components: number): Uint8Array | undefined {
  if (!profile || profile.length < 128) return undefined;
  const space = String.fromCharCode(...profile.subarray(16, 20));
  return space === SIGNATURES[components] ? profile : undefined;
}
