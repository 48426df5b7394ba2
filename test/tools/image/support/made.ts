// Images made here, with everything in them that must not come out again.
import { crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import type { Bytes } from "../../../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../../../wire/bytes.ts";

/** Words that stand in the metadata of `withEverything`: none may be in a result. */
export const SECRETS = [
  "SecretCamera",
  "SecretPlace",
  "SecretMaker",
  "SecretXmp",
  "SecretIptc",
  "SecretNote",
];

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><note>SecretXmp</note></x:xmpmeta>`;

/** A picture of smooth colours with some noise, 3 or 4 channels. */
export function picture(width: number, height: number, channels: 3 | 4 = 3) {
  const pixels = new Uint8Array(width * height * channels);
  for (let i = 0; i < pixels.length; i++) pixels[i] = (i * 7 + (i >> 8) * 3 + ((i * i) % 11)) % 256;
  return sharp(pixels, { raw: { width, height, channels } });
}

export async function bytesOf(image: Sharp): Promise<Bytes> {
  return new Uint8Array(await image.toBuffer());
}

/** An Exif block: make, orientation, a place as GPS text, a maker's note (TIFF 6.0, little-endian). */
export function exifBlock({ orientation = 1 } = {}): Bytes {
  const make = utf8("SecretCamera\0\0");
  const place = utf8("SecretPlace\0");
  const note = utf8("SecretMaker\0");
  const makeAt = 8 + directoryBytes(4);
  const exifAt = makeAt + make.length;
  const noteAt = exifAt + directoryBytes(1);
  const gpsAt = noteAt + note.length;
  const placeAt = gpsAt + directoryBytes(1);
  return concatBytes(
    Uint8Array.of(0x49, 0x49, 42, 0, 8, 0, 0, 0),
    directory([
      [0x10f, 2, make.length, makeAt],
      [0x112, 3, 1, orientation],
      [0x8769, 4, 1, exifAt],
      [0x8825, 4, 1, gpsAt],
    ]),
    make,
    directory([[0x927c, 7, note.length, noteAt]]),
    note,
    directory([[0x1b, 7, place.length, placeAt]]),
    place,
  );
}

type Field = [tag: number, type: number, count: number, value: number];

function directoryBytes(entries: number): number {
  return 2 + 12 * entries + 4;
}

function directory(fields: readonly Field[], next = 0): Bytes {
  const view = new DataView(new ArrayBuffer(directoryBytes(fields.length)));
  view.setUint16(0, fields.length, true);
  fields.forEach(([tag, type, count, value], i) => {
    view.setUint16(2 + 12 * i, tag, true);
    view.setUint16(4 + 12 * i, type, true);
    view.setUint32(6 + 12 * i, count, true);
    view.setUint32(10 + 12 * i, value, true);
  });
  view.setUint32(2 + 12 * fields.length, next, true);
  return new Uint8Array(view.buffer);
}

/** A TIFF of one white strip with Exif, GPS, XMP, IPTC, a description and a second page. */
export function madeTiff({ width = 16, height = 8, samples = 3, bits = 8 } = {}): Bytes {
  const pixels = new Uint8Array(width * height * samples).fill(0xf0);
  const texts = [utf8("SecretNote\0"), utf8(XMP), utf8("SecretIptc\0"), utf8("SecretPlace\0")] as const;
  const starts = [8];
  for (const part of [pixels, ...texts]) starts.push(starts.at(-1)! + part.length);
  const [pixelsAt, noteAt, xmpAt, iptcAt, placeAt, gpsAt] = starts as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const firstAt = gpsAt + directoryBytes(1);
  const image: Field[] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, bits],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [270, 2, texts[0].length, noteAt],
    [273, 4, 1, pixelsAt],
    [277, 3, 1, samples],
    [278, 4, 1, height],
    [279, 4, 1, pixels.length],
    [700, 1, texts[1].length, xmpAt],
    [33723, 7, texts[2].length, iptcAt],
    [34853, 4, 1, gpsAt],
  ];
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, 0x49492a00);
  head.setUint32(4, firstAt, true);
  const gps = directory([[0x1b, 7, texts[3].length, placeAt]]);
  const second = firstAt + directoryBytes(image.length);
  return concatBytes(
    new Uint8Array(head.buffer),
    pixels,
    ...texts,
    gps,
    directory(image, second),
    directory(image),
  );
}

/** Puts segments behind the start of a JPEG. */
export function withSegments(jpeg: Bytes, segments: readonly [marker: number, data: Bytes][]): Bytes {
  const made = segments.map(([marker, data]) =>
    concatBytes(Uint8Array.of(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff), data),
  );
  return concatBytes(jpeg.subarray(0, 2), ...made, jpeg.subarray(2));
}

/** Puts chunks behind the IHDR of a PNG. */
export function withChunks(png: Bytes, chunks: readonly [type: string, data: Bytes][]): Bytes {
  return concatBytes(
    png.subarray(0, 33),
    ...chunks.map(([type, data]) => pngChunk(type, data)),
    png.subarray(33),
  );
}

/** A PNG whose header says another size, with the check sum of that. */
export function withSize(png: Bytes, width: number, height: number): Bytes {
  const header = png.slice(16, 29);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  return concatBytes(png.subarray(0, 8), pngChunk("IHDR", header), png.subarray(33));
}

export function pngChunk(type: string, data: Bytes): Bytes {
  const body = concatBytes(utf8(type), data);
  return concatBytes(bigEndian(data.length), body, bigEndian(crc32(body)));
}

function bigEndian(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

/** Puts blocks behind the colour table of a GIF that sharp made. */
function withBlocks(gif: Bytes, blocks: readonly Bytes[]): Bytes {
  const start = 13 + (gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0);
  return concatBytes(gif.subarray(0, start), ...blocks, gif.subarray(start));
}

const ICC = "p3";

/** One image of each format with all the metadata that the format can hold, and the names of these. */
export async function withEverything(width = 64, height = 48) {
  const bare = () => picture(width, height);
  const rich = () =>
    bare()
      .withIccProfile(ICC)
      .withXmp(XMP)
      .withExif({ IFD0: { Make: "SecretCamera" }, IFD3: { GPSAreaInformation: "SecretPlace" } });
  const comment = utf8("SecretNote");
  return {
    jpeg: withSegments(await bytesOf(bare().withIccProfile(ICC).jpeg()), [
      [0xe1, concatBytes(utf8("Exif\0\0"), exifBlock())],
      [0xe1, utf8(`http://ns.adobe.com/xap/1.0/\0${XMP}`)],
      [
        0xed,
        concatBytes(
          utf8("Photoshop 3.0\u00008BIM\u0004\u0004\0\0"),
          Uint8Array.of(0, 0, 0, 10),
          utf8("SecretIptc"),
        ),
      ],
      [0xfe, comment],
      [0xeb, utf8("JP SecretNote")],
    ]),
    png: withChunks(await bytesOf(bare().withIccProfile(ICC).png()), [
      ["eXIf", exifBlock()],
      ["iTXt", utf8(`XML:com.adobe.xmp\0\0\0\0\0${XMP}`)],
      ["tEXt", utf8("Raw profile type iptc\0SecretIptc")],
      ["tEXt", utf8("Comment\0SecretNote")],
      ["tIME", new Uint8Array(7).fill(1)],
    ]),
    webp: await bytesOf(rich().webp()),
    avif: await bytesOf(rich().avif({ effort: 0 })),
    gif: withBlocks(await bytesOf(bare().gif()), [
      concatBytes(Uint8Array.of(0x21, 0xfe, comment.length), comment, Uint8Array.of(0)),
      concatBytes(
        Uint8Array.of(0x21, 0xff, 11),
        utf8("XMP DataXMP"),
        Uint8Array.of(9),
        utf8("SecretXmp"),
        Uint8Array.of(0),
      ),
    ]),
    tiff: madeTiff({ width, height }),
  };
}

/** What `withEverything` has put into each. */
export const PUT_IN = {
  jpeg: ["comment", "exif", "gps", "icc", "iptc", "makernote", "other", "xmp"],
  png: ["comment", "exif", "gps", "icc", "iptc", "makernote", "other", "resolution", "xmp"],
  webp: ["exif", "gps", "icc", "xmp"],
  avif: ["exif", "gps", "icc", "xmp"],
  gif: ["comment", "xmp"],
  tiff: ["comment", "gps", "iptc", "xmp"],
} as const;
