import { type Bytes, byteAt } from "../../../wire/bytes.ts";
import type { Placement } from "../../image/readers/placement.ts";
import { type Pixels, dropChannels } from "../../image/pixels.ts";
import { deflateRows, deflateRowsAs } from "../filters/deflate.ts";

/** Samples of an image as an image XObject holds them (ISO 32000-1, 8.9.5). */
export interface Samples {
  readonly width: number;
  readonly height: number;
  /** Bits per component: 1, 2, 4, 8 or 16. */
  readonly bits: number;
  /** /Filter and the entries that belong to it, as they stand in the dictionary. */
  readonly coding: string;
  readonly data: Uint8Array;
}

/** An image that becomes a page. */
export interface Picture extends Samples {
  /** Components per pixel; with a palette, per color of the palette. */
  readonly components: 1 | 3 | 4;
  /** Red, green and blue of each index. */
  readonly palette?: Bytes | undefined;
  /** The ICC profile of its colors. */
  readonly profile?: Uint8Array | undefined;
  /** Whether larger samples mean less ink. */
  readonly isInverted?: boolean;
  /** The color that is not painted: one number per component. */
  readonly colorKey?: readonly number[] | undefined;
  /** The opacity of each pixel, in one component. */
  readonly alpha?: Samples | undefined;
  readonly placement: Placement;
}

const SIGNATURES = ["", "GRAY", "", "RGB ", "CMYK"];

/** The profile if it is for images with this number of components (ICC.1:2022, 7.2.6). */
export function fittingProfile(profile: Uint8Array | undefined, components: number): Uint8Array | undefined {
  if (!profile || profile.length < 128) return undefined;
  const space = String.fromCharCode(...profile.subarray(16, 20));
  return space === SIGNATURES[components] ? profile : undefined;
}

/** With 8 or 16 bits. */
type Shape = Pick<Samples, "width" | "height" | "bits">;

/** Compresses rows of samples with Flate, with the given predictors or the best that are found. */
export function packRows(
  rows: Uint8Array,
  { width, height, bits, components, types }: Shape & { components: number; types?: Uint8Array | undefined },
): Samples {
  const pixelBytes = (components * bits) / 8;
  const shape = { rowBytes: width * pixelBytes, pixelBytes, columns: width, colors: components, bits };
  const { data, entries } = types ? deflateRowsAs(rows, types, shape) : deflateRows(rows, shape);
  const parameters = `/Predictor 15/Colors ${components}/BitsPerComponent ${bits}/Columns ${width}`;
  const decoding = "DecodeParms" in entries ? `/DecodeParms<<${parameters}>>` : "";
  return { width, height, bits, coding: `/Filter/FlateDecode${decoding}`, data };
}

/** Separates color and transparency that are stored side by side; no transparency if every pixel is opaque. */
export function splitAlpha(
  rows: Uint8Array,
  { channels, ...shape }: Shape & { readonly channels: number; readonly types?: Uint8Array | undefined },
): Samples & Pick<Picture, "alpha"> {
  const { width, height, bits } = shape;
  const components = channels - 1;
  const sample = bits / 8;
  const count = width * height;
  const color = new Uint8Array(count * components * sample);
  const alpha = new Uint8Array(count * sample);
  let isTransparent = false;
  for (let from = 0, to = 0, at = 0; at < alpha.length;) {
    for (let i = 0; i < components * sample; i++) color[to++] = byteAt(rows, from++);
    for (let i = 0; i < sample; i++) {
      const opacity = byteAt(rows, from++);
      isTransparent ||= opacity !== 255;
      alpha[at++] = opacity;
    }
  }
  return {
    ...packRows(color, { ...shape, components }),
    alpha: isTransparent ? packRows(alpha, { ...shape, components: 1 }) : undefined,
  };
}

/** Decoded pixels as samples with as few components as possible. */
export function pixelPicture(pixels: Pixels): Omit<Picture, "placement"> {
  const { width, height, channels, data } = dropChannels(pixels);
  const shape = { width, height, bits: 8 };
  if (channels % 2 === 0)
    return { components: channels === 2 ? 1 : 3, ...splitAlpha(data, { ...shape, channels }) };
  const components = channels === 1 ? 1 : 3;
  return { components, ...packRows(data, { ...shape, components }) };
}
