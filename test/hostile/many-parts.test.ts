// slow
import { describe, expect, test } from "vitest";
import { readImageHeader } from "../../tools/image/header.ts";
import { MAX_PARTS } from "../../tools/image/image-info.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { withProcess } from "../process/support/with-process.ts";
import { nodePath, runtimeAt } from "../support/runtimes.ts";
import {
  avifOfAssociations,
  avifOfBoxes,
  avifOfPlaces,
  gifOfExtensions,
  jpegOfSegments,
  pngOfChunks,
  tiffOfEntries,
  webpOfChunks,
} from "./files/many-parts.ts";

interface Attack {
  readonly name: string;
  readonly unit: string;
  readonly make: () => Bytes | Promise<Bytes>;
}

const ATTACKS: readonly Attack[] = [
  { name: "a WebP of 250,000 empty chunks", unit: "chunks", make: () => webpOfChunks(250_000) },
  { name: "a PNG of 1,000,000 empty texts", unit: "chunks", make: () => pngOfChunks(1_000_000) },
  { name: "a PNG of 1,000,000 empty IDATs", unit: "pieces", make: () => pngOfChunks(1_000_000, "IDAT") },
  { name: "a JPEG of 4,000,000 empty comments", unit: "segments", make: () => jpegOfSegments(4_000_000) },
  { name: "a GIF of 4,000,000 empty comments", unit: "blocks", make: () => gifOfExtensions(4_000_000) },
  { name: "an AVIF of 2,900,000 boxes", unit: "boxes", make: () => avifOfBoxes(2_900_000) },
  { name: "an AVIF of 2,000,000 places", unit: "entries", make: () => avifOfPlaces(2_000_000) },
  { name: "an AVIF of 4,000,000 associations", unit: "entries", make: () => avifOfAssociations(4_000_000) },
  { name: "a TIFF of 65,535 entries", unit: "entries", make: () => tiffOfEntries(65_535) },
];

describe("a file of very many parts", () => {
  const server = withProcess(runtimeAt("node", nodePath()));

  test.each(ATTACKS)("is too_complex beside a server that answers: $name", async (attack) => {
    const address = `${server.url}/api/tools/image-convert?format=png`;
    const asked = fetch(address, { method: "POST", body: await attack.make() });
    const beside = fetch(`${server.url}/healthz`);
    expect((await beside).status).toBe(200);
    const answer = await asked;
    const fields = { limit: attack.unit, value: MAX_PARTS, unit: attack.unit };
    expect(await answer.json()).toMatchObject({ code: "too_complex", ...fields });
    expect(answer.status).toBe(422);
  });
});

// `own` is what the encoder itself writes: such as IHDR, pHYs and IEND beside the pixels of the PNG.
const AT_LIMIT = [
  { name: "WebP", make: webpOfChunks, own: 1 },
  { name: "PNG", make: pngOfChunks, own: 3 },
  { name: "JPEG", make: jpegOfSegments, own: 8 },
  { name: "GIF", make: gifOfExtensions, own: 2 },
  { name: "AVIF", make: avifOfBoxes, own: 14 },
];

test.each(AT_LIMIT)("$name: 10,000 parts are read, one more is too many", async ({ make, own }) => {
  const most = MAX_PARTS - own;
  for (const fitting of [most - 1, most])
    expect(readImageHeader(await make(fitting))).toMatchObject({ width: 24, height: 16 });
  const tooMany = await make(most + 1);
  expect(() => readImageHeader(tooMany)).toThrow(expect.objectContaining({ code: "too_complex" }));
});
