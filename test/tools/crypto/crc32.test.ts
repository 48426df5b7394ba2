import { expect, onTestFinished, test, vi } from "vitest";
import { utf8 } from "../../../wire/bytes.ts";

async function load({ isPage }: { isPage: boolean }) {
  vi.resetModules();
  // The next file of the worker loads the real one.
  onTestFinished(() => {
    vi.doUnmock("../../../tools/file/native.ts");
    vi.resetModules();
  });
  vi.doMock("../../../tools/file/native.ts", async (original) =>
    isPage ? { nativeZlib: undefined } : await original<object>(),
  );
  return await import("../../../tools/hash/crc32.ts");
}

// The check value of the RevEng catalogue for CRC-32/ISO-HDLC.
const [DIGITS, SUM] = [utf8("123456789"), 0xcbf43926];

test.each([
  ["on a server", false],
  ["in a page", true],
])("a CRC-32 %s is the catalogue's, whole and in two pieces", async (_, isPage) => {
  const { crc32 } = await load({ isPage });
  expect(crc32(DIGITS)).toBe(SUM);
  expect(crc32(DIGITS.subarray(4), crc32(DIGITS.subarray(0, 4)))).toBe(SUM);
  expect(crc32(new Uint8Array())).toBe(0);
});
