import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { rotatePdf } from "../../../tools/pdf-rotate.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { unlockPdf } from "../../../tools/pdf-unlock.ts";
import type { OnProgress } from "../../../tools/file/progress.ts";
import { pagesPdf, textOf } from "./support/pdf-made.ts";

const PAGES = 200;
const document = pagesPdf(PAGES);
const ENCRYPTED = new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url);

type Work = (onProgress?: OnProgress) => Promise<{ bytes: Uint8Array }>;

const WORK: Readonly<Record<string, Work>> = {
  "turning pages": (onProgress) => rotatePdf(document, { angle: 90, onProgress }),
  "one file per page": (onProgress) => splitPdf(document, { mode: "each", onProgress }),
  "keeping pages": (onProgress) => splitPdf(document, { mode: "keep", range: "11-end", onProgress }),
  "merging documents": (onProgress) => mergePdf([{ data: document }, { data: document }], { onProgress }),
  "merging some pages": (onProgress) =>
    mergePdf([{ data: document, range: "1-150" }, { data: document }], { onProgress }),
};

async function partsOf(work: Work): Promise<number[]> {
  const parts: number[] = [];
  await work((part) => parts.push(part));
  return parts;
}

describe.each(Object.entries(WORK))("the progress of %s", (_, work) => {
  test("rises in small steps from nearly nothing to nearly all", async () => {
    const parts = await partsOf(work);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    const [first = 1, last = 0] = [parts[0], parts.at(-1)];
    expect(first).toBeLessThan(0.15);
    expect(last).toBeGreaterThan(0.85);
    expect(last).toBeLessThanOrEqual(1);
    const steps = parts.map((part, i) => part - (parts[i - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThan(0.3);
  });

  test("changes nothing of the result", async () => {
    const [told, untold] = await Promise.all([work(() => undefined), work()]);
    expect(textOf(told.bytes) === textOf(untold.bytes)).toBe(true);
  });
});

test("tells how far decrypting is, and does not go past the whole", async () => {
  const parts: number[] = [];
  const file = new Uint8Array(readFileSync(ENCRYPTED));
  await unlockPdf(file, { password: "geheim", onProgress: (part) => parts.push(part) });
  expect(parts.length).toBeGreaterThan(0);
  expect(Math.max(...parts)).toBeLessThanOrEqual(1);
});

test("starts again where the document proves damaged on the way", async () => {
  const parts: number[] = [];
  const text = textOf(document);
  // The cross-reference is wrong about one of the last objects only.
  const damaged = text.replace(`${PAGES * 2} 0 obj`, `${PAGES * 2 + 1000} 0 obj`);
  const bytes = Uint8Array.from(damaged, (character) => character.charCodeAt(0));
  const { pages } = await rotatePdf(bytes, { angle: 90, onProgress: (part) => parts.push(part) });
  expect(pages).toBeGreaterThan(0);
  expect(Math.max(...parts)).toBeLessThanOrEqual(1);
});
