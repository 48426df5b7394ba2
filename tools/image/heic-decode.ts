import { type Bytes, byteAt } from "../../wire/bytes.ts";
import { damagedImage } from "./image-info.ts";
import { readHeifColor } from "./readers/heif.ts";
import type { Pixels } from "./pixels.ts";
import { loadLibheif } from "./libheif.ts";
import { spaceOf, writeIccProfile } from "./icc-profile.ts";
import { COLOR_TYPE, iccChunk, writePng } from "./png/write.ts";

/** The used part of libheif in WebAssembly; its own types only know the whole. */
interface Libheif {
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown };
  readonly heif_channel: { readonly heif_channel_interleaved: { readonly value?: number } };
  heif_context_alloc(): unknown;
  heif_context_free(context: unknown): void;
  heif_context_read_from_memory(
    context: unknown,
    bytes: Uint8Array,
  ): { readonly code: { readonly value: number } };
  heif_js_context_get_list_of_top_level_image_IDs(context: unknown): Partial<ArrayLike<unknown>>;
  heif_js_context_get_primary_image_handle(context: unknown): object;
  heif_js_context_get_image_handle(context: unknown, id: unknown): object;
  heif_image_handle_get_width(handle: object): number;
  heif_image_handle_get_height(handle: object): number;
  heif_image_handle_release(handle: object): void;
  heif_js_decode_image2(
    handle: object,
    colorspace: unknown,
    chroma: unknown,
  ): { channels?: readonly Plane[]; image?: unknown } | null;
  heif_image_release(image: unknown): void;
}

interface Plane extends Omit<Pixels, "channels"> {
  readonly stride: number;
}

/**
 * Decodes the main picture of a HEIC, turned upright, to a PNG with its color profile, stored and not compressed, and
 * counts the pictures. libheif is loaded on first use, and again for each file: its memory grows and never shrinks.
 * @throws ToolFailure damaged_file
 */
export async function decodeHeic(image: Bytes): Promise<{ png: Bytes; pictures: number }> {
  const opened = await openHeic(image);
  try {
    const { libheif, context, ids } = opened;
    const handle = libheif.heif_js_context_get_primary_image_handle(context);
    return { png: await decodePicture(opened, handle), pictures: ids.length ?? 1 };
  } finally {
    opened.close();
  }
}

/**
 * Decodes all its pictures one after another, in the same way.
 * @param onPicture hears how many pixels a picture has before it is decoded; what it throws ends the work
 * @throws ToolFailure damaged_file
 */
export async function* decodeHeicPictures(
  image: Bytes,
  onPicture: (pixels: number) => void,
): AsyncGenerator<Bytes> {
  const opened = await openHeic(image);
  try {
    const { libheif, context, ids } = opened;
    for (let i = 0; i < (ids.length ?? 0); i++) {
      const handle = libheif.heif_js_context_get_image_handle(context, ids[i]);
      onPicture(libheif.heif_image_handle_get_width(handle) * libheif.heif_image_handle_get_height(handle));
      yield await decodePicture(opened, handle);
    }
  } finally {
    opened.close();
  }
}

interface OpenedHeic {
  readonly image: Bytes;
  readonly libheif: Libheif;
  readonly context: unknown;
  readonly ids: Partial<ArrayLike<unknown>>;
  readonly close: () => void;
}

async function openHeic(image: Bytes): Promise<OpenedHeic> {
  const libheif = await startLibheif();
  const context = libheif.heif_context_alloc();
  const close = () => libheif.heif_context_free(context);
  const { code } = libheif.heif_context_read_from_memory(context, image);
  if (code.value !== 0) {
    close();
    throw damagedImage("it cannot be read");
  }
  const ids = libheif.heif_js_context_get_list_of_top_level_image_IDs(context);
  return { image, libheif, context, ids, close };
}

async function decodePicture({ image, libheif }: OpenedHeic, handle: object): Promise<Bytes> {
  const plane = await decodePlane(libheif, handle);
  libheif.heif_image_handle_release(handle);
  const { isMultiplied, profile = codePointProfile(image) } = readHeifColor(image);
  return toPng(isMultiplied ? divided(plane) : plane, profile);
}

/** A PNG of RGBA that was stored multiplied by its transparency. */
export function dividedPng({ width, height, data }: Pixels, profile: Uint8Array | undefined): Bytes {
  return toPng(divided({ width, height, stride: width * 4, data }), profile);
}

/** Colors without their transparency in them, as PNG has them. */
function divided({ data, ...plane }: Plane): Plane {
  const straight = new Uint8Array(data);
  for (let at = 0; at + 3 < straight.length; at += 4) {
    const alpha = straight[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let i = at; i < at + 3; i++)
      straight[i] = Math.min(255, Math.round(((straight[i] ?? 0) * 255) / alpha));
  }
  return { ...plane, data: straight };
}

async function startLibheif(): Promise<Libheif> {
  const { default: load } = (await loadLibheif()) as { default: (options: object) => Libheif };
  // Its messages would be the engine's words about the file.
  return load({ print: () => undefined, printErr: () => undefined });
}

async function decodePlane(libheif: Libheif, handle: object): Promise<Plane> {
  const { heif_colorspace, heif_chroma } = libheif;
  const decoded = await Promise.resolve(
    libheif.heif_js_decode_image2(
      handle,
      heif_colorspace.heif_colorspace_RGB,
      heif_chroma.heif_chroma_interleaved_RGBA,
    ),
  );
  const [plane] = decoded?.channels ?? [];
  if (!plane) throw damagedImage("it cannot be decoded to its end");
  return plane;
}

/** What an AVIF says of its colors where libvips does not heed it; undefined where it says nothing. */
export function unheededColors(
  image: Bytes,
): { profile: Bytes | undefined; isMultiplied: boolean } | undefined {
  const { isMultiplied } = readHeifColor(image);
  const profile = codePointProfile(image);
  return profile || isMultiplied ? { profile, isMultiplied } : undefined;
}

/** The ICC profile of colors that a HEIC or AVIF names by code points alone; undefined where they are those of sRGB. */
function codePointProfile(image: Bytes): Bytes | undefined {
  const { profile, primaries, transfer } = readHeifColor(image);
  const space = profile || primaries === undefined ? undefined : spaceOf(primaries, transfer);
  return space && writeIccProfile(space, { isGray: false });
}

function toPng({ width, height, stride, data }: Plane, profile: Uint8Array | undefined): Bytes {
  const hasAlpha = isTransparent({ width, height, stride, data });
  const bytes = hasAlpha ? 4 : 3;
  const rows = new Uint8Array(height * (1 + width * bytes));
  for (let y = 0, to = 0; y < height; y++) {
    to++;
    for (let x = 0, from = y * stride; x < width; x++, from += 4, to += bytes) {
      rows[to] = byteAt(data, from);
      rows[to + 1] = byteAt(data, from + 1);
      rows[to + 2] = byteAt(data, from + 2);
      if (hasAlpha) rows[to + 3] = byteAt(data, from + 3);
    }
  }
  const colorType = hasAlpha ? COLOR_TYPE.rgba : COLOR_TYPE.rgb;
  const chunks = profile ? [iccChunk(profile)] : [];
  return writePng({ width, height, bitDepth: 8, colorType }, { chunks, rows, level: 0 });
}

function isTransparent({ width, height, stride, data }: Plane): boolean {
  for (let y = 0; y < height; y++) {
    for (let at = y * stride + 3, end = y * stride + width * 4; at < end; at += 4)
      if (data[at] !== 255) return true;
  }
  return false;
}
