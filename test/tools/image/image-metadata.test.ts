import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage } from "../../../tools/image-convert.ts";
import { bytesOf, picture, PUT_IN, SECRETS, withEverything } from "./support/made.ts";
import { strangeParts } from "./support/parts.ts";

const codec = createSharpCodec();
const TARGETS = ["webp", "jpeg", "png", "avif"] as const;
const sources = await withEverything();
// These are the keys that were written above.
const SOURCES = Object.keys(sources) as (keyof typeof sources)[];

describe("metadata", () => {
  const pairs = SOURCES.flatMap((source) => TARGETS.map((format) => [source, format] as const));

  test.each(pairs)("of %s is not in the %s", async (source, format) => {
    const result = await convertImage(sources[source], { codec, format });
    expect(result).toMatchObject({ format, sourceFormat: source, width: 64, height: 48 });
    expect(strangeParts(result.bytes, format)).toEqual([]);
    const text = Buffer.from(result.bytes).toString("latin1");
    for (const secret of [...SECRETS, "xmpmeta", "Photoshop", "acsp"]) expect(text).not.toContain(secret);
    const seen = await sharp(result.bytes).metadata();
    expect([seen.exif, seen.xmp, seen.iptc, seen.icc, seen.orientation]).toEqual(Array(5).fill(undefined));
    expect([...result.metadataRemoved].sort()).toEqual(PUT_IN[source]);
  });

  test("that a codec leaves in never leaves the tool", async () => {
    const careless = { encode: () => Promise.resolve(sources.webp) };
    await expect(convertImage(sources.png, { codec: careless, format: "webp" })).rejects.toThrow(
      "The codec gave webp",
    );
  });

  test("of a codec that gives another format never leaves the tool either", async () => {
    const silent = { encode: () => bytesOf(picture(4, 4).png()) };
    await expect(convertImage(sources.png, { codec: silent, format: "webp" })).rejects.toThrow(
      "The codec gave png",
    );
  });
});
