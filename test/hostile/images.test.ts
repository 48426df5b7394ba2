// slow
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import "../../tools/entries/heic.ts";
import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { convertImage } from "../../tools/image-convert.ts";
import { IMAGE_FORMATS } from "../../tools/image/image-info.ts";
import { detectFileType } from "../../tools/file/file-type.ts";
import { readImageHeader } from "../../tools/image/header.ts";
import { bytesOf, madeTiff, picture, pngChunk, withSegments } from "../tools/image/support/made.ts";

const codec = createSharpCodec();
const small = () => picture(24, 16);

const images: Record<string, Bytes> = {
  jpeg: await bytesOf(small().jpeg()),
  "progressive jpeg": await bytesOf(small().jpeg({ progressive: true })),
  png: await bytesOf(small().png()),
  "interlaced png": await bytesOf(small().png({ progressive: true })),
  "lossy webp": await bytesOf(small().webp()),
  "lossless webp": await bytesOf(small().webp({ lossless: true })),
  gif: await bytesOf(small().gif()),
  avif: await bytesOf(small().avif({ effort: 0 })),
  tiff: await bytesOf(small().tiff({ compression: "lzw" })),
  "tiled tiff": await bytesOf(
    small().tiff({ compression: "deflate", tile: true, tileWidth: 16, tileHeight: 16 }),
  ),
};
const KINDS = Object.keys(images);

const tinyGif = await bytesOf(
  sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } }).gif(),
);

/** A GIF of one frame with this frame so many times. */
function repeatFrame(gif: Bytes, count: number): Bytes {
  const start = find(gif, "\x2c\0\0\0\0");
  return concatBytes(
    gif.subarray(0, start),
    ...Array<Bytes>(count).fill(gif.subarray(start, -1)),
    gif.subarray(-1),
  );
}

/** The bytes with a number put in, big-endian unless told. */
function patch(image: Bytes, { at, value, size = 4, isLittle = false }: Patch): Bytes {
  const changed = image.slice();
  for (let i = 0; i < size; i++)
    changed[at + (isLittle ? i : size - 1 - i)] = Math.floor(value / 256 ** i) % 256;
  return changed;
}

interface Patch {
  at: number;
  value: number;
  size?: number;
  isLittle?: boolean;
}

function find(image: Bytes, text: string): number {
  return Buffer.from(image).indexOf(text, 0, "latin1");
}

async function codeOf(image: Bytes): Promise<string> {
  return convertImage(image, { format: "png", codec }).then(
    () => "converted",
    (error: { code?: string }) => error.code ?? String(error),
  );
}

describe("an image cut anywhere", () => {
  test.each(KINDS)("is refused from its headers alone: %s", (kind) => {
    const image = images[kind]!;
    readImageHeader(image);
    // A GIF without its last byte has all of its pictures.
    const shortest = kind === "gif" ? image.length - 1 : image.length;
    for (let length = 0; length < shortest; length++) {
      const code = expect.stringMatching(/^(damaged_file|wrong_file_type)$/);
      expect(() => readImageHeader(image.slice(0, length))).toThrow(expect.objectContaining({ code }));
    }
  });

  test.each(KINDS)("and filled up with zeros is never a crash: %s", async (kind) => {
    const image = images[kind]!;
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const cut = new Uint8Array(image.length);
      cut.set(image.subarray(0, image.length * part));
      expect(await codeOf(cut)).toMatch(/^(damaged_file|wrong_file_type|unsupported_feature|converted)$/);
    }
  });
});

test.each(KINDS)("one byte changed is a picture or a refusal, never a crash: %s", (kind) => {
  const image = images[kind]!;
  for (let at = 0; at < image.length; at++) {
    for (const value of [0x00, 0x7f, 0xff]) {
      const changed = image.slice();
      changed[at] = value;
      try {
        readImageHeader(changed);
      } catch (error) {
        expect(error).toHaveProperty("name", "ToolFailure");
      }
    }
  }
});

describe("more pixels than are let through", () => {
  const huge = 30_000;

  function emptyPng(width: number, height: number): Bytes {
    const size = patch(patch(new Uint8Array(13), { at: 0, value: width }), { at: 4, value: height });
    size.set([8, 2], 8);
    const chunks = [pngChunk("IHDR", size), pngChunk("IDAT", utf8("x")), pngChunk("IEND", new Uint8Array(0))];
    return concatBytes(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), ...chunks);
  }
  const jpegSize = find(images.jpeg!, "\xff\xc0") + 5;
  const gifImage = find(images.gif!, "\x2c\0\0\0\0");
  const ispe = find(images.avif!, "ispe") + 8;
  const webp = images["lossless webp"]!;
  const vp8x = concatBytes(
    utf8("VP8X"),
    Uint8Array.of(10, 0, 0, 0, 0, 0, 0, 0, 0x2f, 0x75, 0, 0x2f, 0x75, 0),
  );
  const withCanvas = concatBytes(webp.subarray(0, 12), vp8x, webp.subarray(12));

  test.each<[string, Bytes]>([
    ["a PNG of 30,000 x 30,000", emptyPng(huge, huge)],
    [
      "a JPEG",
      patch(patch(images.jpeg!, { at: jpegSize, value: huge, size: 2 }), {
        at: jpegSize + 2,
        value: huge,
        size: 2,
      }),
    ],
    ["a GIF by its screen", patch(images.gif!, { at: 6, value: 0xffff_ffff })],
    ["a GIF by a picture past its screen", patch(images.gif!, { at: gifImage + 5, value: 0xffff_ffff })],
    ["a WebP by its canvas", patch(withCanvas, { at: 4, value: withCanvas.length - 8, isLittle: true })],
    [
      "a WebP by its picture",
      patch(webp, { at: find(webp, "VP8L") + 9, value: 0x0fff_ffff, isLittle: true }),
    ],
    ["an AVIF", patch(patch(images.avif!, { at: ispe, value: huge }), { at: ispe + 4, value: huge })],
    [
      "a TIFF",
      patch(madeTiff(), {
        at: new DataView(madeTiff().buffer).getUint32(4, true) + 10,
        value: 1e9,
        isLittle: true,
      }),
    ],
  ])("are refused before decoding: %s", async (_, image) => {
    const never = { encode: () => Promise.reject(new Error("The codec was asked")) };
    const asked = convertImage(image, { format: "png", codec: never });
    await expect(asked).rejects.toMatchObject({
      code: "too_many_pixels",
      fields: { limit: "pixels", value: 50_000_000, unit: "pixels" },
    });
  });

  test("are found in an AVIF whose container says that it is small", async () => {
    const large = await bytesOf(
      sharp({ create: { width: 8000, height: 6300, channels: 3, background: "red" } }).avif({
        ...{ effort: 0, quality: 1, chromaSubsampling: "4:2:0" },
      }),
    );
    const at = find(large, "ispe") + 8;
    const lying = patch(patch(large, { at, value: 8 }), { at: at + 4, value: 8 });
    expect(readImageHeader(lying)).toMatchObject({ width: 8, height: 8, decodedPixels: 50_400_000 });
    expect(await codeOf(lying)).toBe("too_many_pixels");
  });

  test("count for all frames of an animation together", async () => {
    const still = patch(tinyGif, { at: 6, value: 1000 + 1000 * 65_536, isLittle: true });
    expect(readImageHeader(repeatFrame(still, 50))).toMatchObject({ frames: 50, decodedPixels: 50_000_000 });
    expect(await codeOf(repeatFrame(still, 51))).toBe("too_many_pixels");
  });
});

test("an animation of more than 2,000 frames gives its first, and says so", async () => {
  const convert = (frames: number) => convertImage(repeatFrame(tinyGif, frames), { format: "webp", codec });
  expect((await convert(2000)).warnings).toEqual([]);
  expect((await convert(2001)).warnings).toEqual([{ code: "first_frame_only", frames: 2001 }]);
});

describe("files of another type", () => {
  test.each<[string, string, Uint8Array]>([
    ["svg", "an SVG", utf8('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    [
      "svg",
      "an SVG behind a declaration",
      utf8('\ufeff<?xml version="1.0"?>\n<!-- a drawing -->\n<svg width="9">'),
    ],
    ["video", "an MP4", utf8("\0\0\0\u0018ftypisom\0\0\0\0isomavc1")],
    ["jxl", "a JPEG XL", Uint8Array.of(0xff, 0x0a, 1, 2)],
    ["jp2", "a JPEG 2000", concatBytes(Uint8Array.of(0, 0, 0, 12), utf8("jP  \r\n"))],
    ["psd", "a Photoshop document", utf8("8BPS\0\u0001")],
    ["pdf", "a PDF", utf8("%PDF-1.7")],
    ["zip", "a ZIP", utf8("PK\u0003\u0004")],
    ["html", "a page", utf8("\n<!doctype html><html>")],
    ["unknown", "a text", utf8("BMW makes cars")],
    ["empty", "nothing", new Uint8Array(0)],
  ])("are named: %s for %s", async (name, _, bytes) => {
    expect(detectFileType(bytes)).toBe(name);
    const converting = convertImage(concatBytes(bytes), { format: "png", codec });
    await expect(converting).rejects.toMatchObject({
      code: "wrong_file_type",
      fields: { expected: IMAGE_FORMATS, detected: name },
    });
  });

  test.each(["svg", "bmp", "heic"])(
    "never reach the engine: it does not open them by itself either (%s)",
    async (kind) => {
      const files = {
        svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        bmp: "BM",
        heic: "\0\0\0\x18ftypheic",
      };
      const job = {
        format: "png",
        quality: null,
        effort: null,
        lossless: false,
        isGray: false,
        bitDepth: 8,
        keepsFrames: false,
        isLenient: false,
        fit: null,
        isLimitedGray: false,
        rotate: 0,
        crop: null,
        isLinear: false,
        kernel: "lanczos3",
        background: null,
        maxPixels: 1000,
      } as const;
      expect(await codec.encode(utf8(files[kind as "svg"]), job)).toBeUndefined();
    },
  );
});

describe("odd images", () => {
  test("a JPEG with a picture in its Exif is as large as itself", () => {
    const preview = concatBytes(utf8("Exif\0\0"), images["progressive jpeg"]!);
    expect(readImageHeader(withSegments(images.jpeg!, [[0xe1, preview]]))).toMatchObject({
      width: 24,
      height: 16,
    });
  });

  test("a JPEG with more behind its end is taken", async () => {
    expect(await codeOf(concatBytes(images.jpeg!, images.jpeg!))).toBe("converted");
  });

  test("a GIF with an unknown block behind a frame is taken up to there, with a warning", async () => {
    const gif = concatBytes(images.gif!.subarray(0, -1), Uint8Array.of(0x99, 1, 2, 3));
    const { warnings, bytes } = await convertImage(gif, { format: "png", codec });
    expect(warnings).toEqual([{ code: "image_damaged" }]);
    const { bytes: whole } = await convertImage(images.gif!, { format: "png", codec });
    expect(bytes).toEqual(whole);
    const start = find(images.gif!, "\x2c\0\0\0\0");
    const withoutFrame = patch(images.gif!, { at: start, value: 0x99, size: 1 });
    expect(await codeOf(withoutFrame)).toBe("damaged_file");
  });

  test("a sequence without a still image is unsupported_feature", async () => {
    const sequence = utf8("\0\0\0\u0018ftypavis\0\0\0\0msf1avis\0\0\0\u0008moov");
    expect(await codeOf(sequence)).toBe("unsupported_feature");
  });

  test("a TIFF of many or of deep samples is unsupported_feature", async () => {
    expect(await codeOf(madeTiff({ samples: 9 }))).toBe("unsupported_feature");
    expect(await codeOf(madeTiff({ bits: 64 }))).toBe("unsupported_feature");
    expect(await codeOf(madeTiff({ samples: 3 }))).toBe("converted");
  });
});
