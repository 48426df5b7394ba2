import { describe, expect, test } from "vitest";
import { detectFileType } from "../../tools/file/file-type.ts";
import { readImageHeader } from "../../tools/image/header.ts";

/** The first bytes of files that other programs made; `_` is a byte that may be any. */
const HEADS: Readonly<Record<string, readonly string[]>> = {
  // Pillow: 40 x 30 in RGB, gray by run lengths, and a palette of 256.
  tga: [
    "00 00 02 00 00 00 00 00 00 00 00 00 28 00 1e 00 18 20",
    "05 00 0b 00 00 00 00 00 00 00 00 00 28 00 1e 00 08 00",
    "00 01 01 00 00 00 01 18 00 00 00 00 28 00 1e 00 08 20",
  ],
  pcx: ["0a 05 01 08 00 00 00 00 27 00 1d 00 64 00 64 00"],
  dds: ["44 44 53 20 7c 00 00 00"],
  pnm: ["50 36 0a 34 30 20 33 30", "50 31 20 23 20 62 79", "50 66 0a 34 30"],
  qoi: ["71 6f 69 66 00 00 00 28"],
  icns: ["69 63 6e 73 00 00 10 00"],
  jxl: ["ff 0a fa 1f", "00 00 00 0c 4a 58 4c 20 0d 0a 87 0a"],
  svg: ["3c 73 76 67 20 78 6d 6c 6e 73 3d"],
  cr3: ["00 00 00 18 66 74 79 70 63 72 78 20 00 00 00 01"],
  cr2: ["49 49 2a 00 10 00 00 00 43 52 02 00"],
  crw: ["49 49 1a 00 00 00 48 45 41 50 43 43 44 52"],
  raf: ["46 55 4a 49 46 49 4c 4d 43 43 44 2d 52 41 57 20"],
  orf: ["49 49 52 4f 08 00 00 00", "4d 4d 4f 52 00 00 00 08"],
  rw2: ["49 49 55 00 18 00 00 00"],
  x3f: ["46 4f 56 62 00 00 02 00"],
  mrw: ["00 4d 52 4d 00 00 ff ff"],
};

const bytesOf = (hex: string) => Uint8Array.from(hex.split(" "), (byte) => parseInt(byte, 16));

test.each(Object.entries(HEADS).flatMap(([name, heads]) => heads.map((head) => [name, head])))(
  "knows %s by %s",
  (name, head) => {
    expect(detectFileType(bytesOf(head!))).toBe(name);
    const failure = { code: "wrong_file_type", fields: expect.objectContaining({ detected: name }) };
    expect(() => readImageHeader(bytesOf(head!))).toThrow(expect.objectContaining(failure));
  },
);

test.each([
  ["text", "P6 is a place, and P9 is none"],
  ["zeros", "\0".repeat(64)],
  ["numbers", "\x01\x02\x03\x04".repeat(16)],
])("takes %s for none of them", (_, text) => {
  expect(detectFileType(new TextEncoder().encode(text.replace(/^P6 /, "P8 ")))).toBe("unknown");
});

describe("a raw file of a camera that is laid out as a TIFF", () => {
  /** A directory of numbers, by tag. */
  const tiff = (tags: Readonly<Record<number, number>>) => {
    const file = new DataView(new ArrayBuffer(64));
    file.setUint32(0, 0x4d4d002a);
    file.setUint32(4, 8);
    const entries = Object.entries(tags);
    file.setUint16(8, entries.length);
    for (const [i, [tag, value]] of entries.entries()) {
      const at = 10 + 12 * i;
      file.setUint16(at, Number(tag));
      file.setUint16(at + 2, 4);
      file.setUint32(at + 4, 1);
      file.setUint32(at + 8, value);
    }
    return new Uint8Array(file.buffer);
  };

  test.each([
    ["dng", { 50706: 0x01040000 }],
    ["raw", { 254: 1, 330: 300 }],
  ])("is told as %s, and not converted as the small preview in it", (detected, tags) => {
    const failure = { code: "wrong_file_type", fields: expect.objectContaining({ detected }) };
    expect(() => readImageHeader(tiff(tags))).toThrow(expect.objectContaining(failure));
  });
});
