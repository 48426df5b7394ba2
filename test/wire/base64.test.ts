import { describe, expect, test } from "vitest";
import { decodeBase64, encodeBase64, encodeBase64Url, encodeWithTable } from "../../wire/base64.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { utf8 } from "../../wire/bytes.ts";

/** RFC 4648, section 10. */
const RFC_VECTORS = [
  ["", ""],
  ["f", "Zg=="],
  ["fo", "Zm8="],
  ["foo", "Zm9v"],
  ["foob", "Zm9vYg=="],
  ["fooba", "Zm9vYmE="],
  ["foobar", "Zm9vYmFy"],
] as const;

function someBytes(length: number) {
  return Uint8Array.from({ length }, (_, i) => (i * 167 + (i >> 8)) % 256);
}

describe("encoding", () => {
  test.each(RFC_VECTORS)("writes %j as RFC 4648 does", (text, encoded) => {
    expect(encodeBase64(utf8(text))).toBe(encoded);
    expect(encodeBase64Url(utf8(text))).toBe(encoded.replaceAll("=", ""));
  });

  test.each([0, 1, 2, 3, 255, 256, 257, 65_535, 65_536, 65_537])(
    "writes %i bytes as Buffer does",
    (length) => {
      const bytes = someBytes(length);
      expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      expect(encodeBase64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      expect(new TextDecoder().decode(encodeWithTable(bytes))).toBe(Buffer.from(bytes).toString("base64"));
    },
  );

  test("writes a part of a larger array, not the array", () => {
    expect(encodeBase64(utf8("__foobar__").subarray(2, 8))).toBe("Zm9vYmFy");
  });
});

describe("decodeBase64", () => {
  test.each(RFC_VECTORS)("reads %j with and without padding", (text, encoded) => {
    expect(decodeBase64(encoded)).toEqual(utf8(text));
    expect(decodeBase64(encoded.replaceAll("=", ""))).toEqual(utf8(text));
  });

  test.each([0, 1, 2, 3, 65_535, 65_536, 65_537])("reads %i bytes in either alphabet", (length) => {
    const bytes = someBytes(length);
    expect(Buffer.from(decodeBase64(Buffer.from(bytes).toString("base64")))).toEqual(Buffer.from(bytes));
    expect(Buffer.from(decodeBase64(Buffer.from(bytes).toString("base64url")))).toEqual(Buffer.from(bytes));
  });

  test.each([
    ["lines of 76", "Zm9v\r\nYmFy\n"],
    ["blanks around", "  Zm9vYmFy \t"],
    ["every kind of blank", "\fZm 9v\tYm\rFy"],
    ["a data URL", "data:application/pdf;base64,Zm9vYmFy"],
    ["a data URL with parameters", "data:text/plain;charset=utf-8;base64,Zm9vYmFy"],
    ["a data URL without a type", "data:;base64,Zm9vYmFy"],
    ["a data URL in capitals after a line break", "\nDATA:image/PNG;BASE64,\nZm9vYmFy"],
  ])("reads %s", (_, text) => {
    expect(decodeBase64(text)).toEqual(utf8("foobar"));
  });

  test("reads a blank after the padding", () => {
    expect(decodeBase64("Zm9vYmE= ")).toEqual(utf8("fooba"));
  });

  test("reads blanks between two padding signs", () => {
    expect(decodeBase64("Zg = =")).toEqual(utf8("f"));
  });

  test.each(["Z", "Zm9vY", "Zg=", "Zm8==", "Zm9v=", "Zm9v====", "Zg==Zg==", "=", "====", "Zm=v"])(
    "refuses the cut or wrongly padded text %j",
    (text) => {
      expect(() => decodeBase64(text)).toThrow(/"data" is cut or wrongly padded base64/);
    },
  );

  test.each([
    ["Zm9v*mFy", 4],
    ["Zm9vYmFé", 7],
    ["Zm9v\u0000mFy", 4],
    ["Zm9v\u00a0YmFy", 4],
    ["data:text/plain,Zm9v", 4],
    ["data:;base64,Zm9v!", 17],
  ])("names the place of the foreign sign in %j", (text, place) => {
    expect(() => decodeBase64(text)).toThrow(`byte at ${place} belongs`);
  });

  test("names the parameter it was told, and shows nothing of the text", () => {
    const failure = fault(() => decodeBase64("se!cret", { parameter: "files[1].data" }));
    expect(failure.code).toBe("invalid_base64");
    expect(failure.fields).toEqual({ parameter: "files[1].data" });
    expect(failure.message).toMatch(/^"files\[1\]\.data"/);
    expect(failure.message).not.toContain("cret");
  });
});

function fault(work: () => unknown): ToolFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof ToolFailure) return error;
  }
  throw new Error("It should have failed");
}
