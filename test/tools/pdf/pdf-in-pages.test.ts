import { readdirSync, readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { Bytes } from "../../../wire/bytes.ts";
import { makePdf, stream, textOf } from "./support/pdf-made.ts";

const ENCRYPTED = new URL("../../files/encrypted/", import.meta.url);

function text(words: number): string {
  return Array.from({ length: words }, (_, i) => `(word ${i}) Tj /F${i % 3} ${i % 30} Tf`).join("\n");
}

interface Tools {
  readonly hasNative: boolean;
  readonly lock: typeof import("../../../tools/pdf-lock.ts");
  readonly unlock: typeof import("../../../tools/pdf-unlock.ts");
  readonly split: typeof import("../../../tools/pdf-split.ts");
}

/** The tools as they load on a server or, without what a runtime brings, in a page. */
async function load({ isPage }: { isPage: boolean }): Promise<Tools> {
  vi.resetModules();
  vi.doMock("../../../tools/file/native.ts", async (original) =>
    isPage ? { nativeCrypto: undefined, nativeZlib: undefined } : await original<object>(),
  );
  const { nativeCrypto, nativeZlib } = await import("../../../tools/file/native.ts");
  return {
    hasNative: nativeCrypto !== undefined && nativeZlib !== undefined,
    lock: await import("../../../tools/pdf-lock.ts"),
    unlock: await import("../../../tools/pdf-unlock.ts"),
    split: await import("../../../tools/pdf-split.ts"),
  };
}

const server = await load({ isPage: false });
const page = await load({ isPage: true });
afterAll(() => {
  vi.doUnmock("../../../tools/file/native.ts");
  vi.resetModules();
});

/** A page whose content was packed, then cut or broken there. */
function packed({
  from = 0,
  to = Infinity,
  broken,
  words = 3000,
}: {
  from?: number;
  to?: number;
  broken?: number;
  words?: number;
}): Bytes {
  const data = Uint8Array.from(deflateSync(text(words))).subarray(from, to);
  if (broken !== undefined) data.subarray(broken).subarray(0, 20).fill(0xff);
  const content = Buffer.from(data).toString("hex");
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 2/MediaBox[0 0 9 9]/Kids[3 0 R 4 0 R]/Resources 6 0 R>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 5 0 R>>",
    4: "<</Type/Page/Parent 2 0 R/Contents 5 0 R>>",
    5: `<</Filter[/ASCIIHexDecode/FlateDecode]/Length ${content.length + 1}>>\nstream\n${content}>\nendstream`,
    6: "<</Font<</F0 7 0 R/F1 8 0 R/F2 9 0 R/F3 10 0 R>>>>",
    7: "<</Type/Font/Name/A>>",
    8: "<</Type/Font/Name/B>>",
    9: "<</Type/Font/Name/C>>",
    10: "<</Type/Font/Name/D>>",
  });
}

test("compares the two", () => expect([server.hasNative, page.hasNative]).toEqual([true, false]));

test.each(readdirSync(ENCRYPTED))("opens %s in a page as on a server", async (name) => {
  const file = () => new Uint8Array(readFileSync(new URL(name, ENCRYPTED)));
  const password = name.startsWith("umlaut") ? "Zürich€" : "geheim";
  const open = async ({ unlock }: Tools) =>
    unlock.unlockPdf(file(), { password }).catch((error: Error) => error);
  const [here, there] = [await open(server), await open(page)];
  expect(there).toEqual(here);
});

test.each([
  ["sound", {}],
  ["cut", { to: 900 }],
  ["cut within its first block", { to: 40 }],
  ["broken in the middle", { broken: 1500 }],
  ["broken at once", { broken: 2 }],
  ["without its two bytes of header", { from: 2 }],
  ["a byte short of its checksum", { to: -1 }],
  ["three bytes short of its checksum", { to: -3 }],
  ["without its checksum", { to: -4 }],
  ["cut in its last block", { to: -5 }],
  ["long and three bytes short of its checksum", { to: -3, words: 30_000 }],
  ["long and cut in its last block", { to: -5, words: 30_000 }],
  ["wrong in its checksum", { broken: -1 }],
  ["empty", { to: 0 }],
] as const)("reads packed content that is %s in a page as on a server", async (_, damage) => {
  const keep = ({ split }: Tools) => split.splitPdf(packed(damage), { mode: "keep", range: "1" });
  expect((await keep(page)).bytes).toEqual((await keep(server)).bytes);
});

// Around a block of the cipher, and around what Web Crypto does in a page.
const LENGTHS = [0, 1, 15, 16, 17, 65_535, 65_536, 65_537];
const streams = makePdf({
  1: `<</Type/Catalog/Pages 2 0 R/Own[${LENGTHS.map((_, i) => `${i + 3} 0 R`).join(" ")}]>>`,
  2: "<</Type/Pages/Count 1/Kids[20 0 R]/MediaBox[0 0 9 9]>>",
  20: "<</Type/Page/Parent 2 0 R>>",
  ...Object.fromEntries(LENGTHS.map((length, i) => [i + 3, stream("x".repeat(length), "/Own(text)")])),
});

test.each([
  ["a page", page, "a server", server],
  ["a server", server, "a page", page],
] as const)("locks in %s what opens in %s", async (_, { lock }, __, { unlock }) => {
  const { bytes } = await lock.lockPdf(streams, { password: "geheim", ownerPassword: "chef" });
  for (const password of ["geheim", "chef"]) {
    const opened = textOf((await unlock.unlockPdf(bytes, { password })).bytes);
    const found = [...opened.matchAll(/(?<!end)stream\n(x*)\nendstream/g)].map(
      ([, data = ""]) => data.length,
    );
    expect(found).toEqual(LENGTHS);
  }
});

test("locks in a page that came over plain http, which has no Web Crypto", async () => {
  const { crypto } = globalThis;
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("crypto", { getRandomValues: (to: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(to) });
  const { bytes } = await page.lock.lockPdf(streams, { password: "geheim" });
  expect((await page.unlock.unlockPdf(bytes, { password: "geheim" })).pages).toBe(1);
  vi.unstubAllGlobals();
  expect((await server.unlock.unlockPdf(bytes, { password: "geheim" })).pages).toBe(1);
});
