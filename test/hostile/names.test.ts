// slow
import { describe, expect, test } from "vitest";
import { contentDisposition } from "../../adapters/trpc/answer/answer-parts.ts";
import { utf8 } from "../../wire/bytes.ts";
import { cleanFileName, MAX_FILE_NAME_BYTES } from "../../tools/file/file-name.ts";
import { fc, runs } from "../support/properties.ts";

const RUNS = runs(3000);

// Pieces that have broken somebody's names, mixed with any UTF-16 at all, lone surrogates among it.
const pieces = fc.constantFrom(
  ...[
    "/",
    "\\",
    "..",
    ".",
    " ",
    "\r\n",
    "\0",
    "\t",
    "\x7f",
    "\x85",
    ":",
    "*",
    "?",
    '"',
    "<",
    ">",
    "|",
    ";",
    "'",
    "%",
  ],
  ...[
    "%2e",
    "%0d%0a",
    "%5C",
    "CON",
    "nul",
    "COM\u00b9",
    "aux.",
    ".pdf",
    ".PNG",
    ".tar.gz",
    ".locked",
    "filename*=",
    "UTF-8''",
  ],
  ...[
    "\u202e",
    "\u2066",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\u00ad",
    "\u2028",
    "\u2029",
    "\u034f",
    "\u0338",
    "\u0301",
  ],
  ...[
    "\uff0f",
    "\uff3c",
    "\uff02",
    "\u2215",
    "\u00a0",
    "\u3000",
    "\u212a",
    "\u037e",
    "e\u0301",
    "ﬁ",
    "한",
    "日本",
    "🔑",
  ],
  ...["\ud800", "\udc00", "\u{e0041}", "\ufffe", "\ufffd", "x".repeat(250), "é".repeat(125), "🔑".repeat(63)],
);
const anyUtf16 = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});
const names = fc
  .array(fc.oneof(pieces, pieces, fc.string(), anyUtf16), { maxLength: 12 })
  .map((all) => all.join(""));
const options = fc.constantFrom(
  {},
  { extension: "pdf", fallback: "unlocked.pdf" },
  { extension: "jpg", fallback: "image" },
  { extension: "zip", fallback: "pages.zip" },
);

/** What joins two pictures into one, such as a family. */
const JOINER = /(?<=\p{Extended_Pictographic}[\p{EMod}\uFE0F]*)\u200D(?=\p{Extended_Pictographic})/gu;
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b-\u200d\u2060\ufeff]/u;

describe("any name at all", () => {
  test("comes out as one visible segment that Windows takes, in NFC, within 255 bytes", () => {
    fc.assert(
      fc.property(names, options, (name, how) => {
        const cleaned = cleanFileName(name, how);
        expect(cleaned.replaceAll(JOINER, "")).not.toMatch(UNSEEN);
        expect(cleaned).not.toMatch(/[<>:"|?*/\\]/);
        expect(cleaned).not.toMatch(/^[\s.]|[\s.]$/);
        expect(cleaned).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(cleaned).not.toBe("");
        expect(cleaned.isWellFormed()).toBe(true);
        expect(cleaned.normalize("NFC")).toBe(cleaned);
        expect(utf8(cleaned).length).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES);
      }),
      RUNS,
    );
  });

  test("keeps the extension that was asked for, however long it is", () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(cleanFileName(name, { extension: "pdf" })).toMatch(/.\.pdf$/i);
        expect(cleanFileName(name, { extension: "jpg" })).toMatch(/.\.jpe?g$/i);
      }),
      RUNS,
    );
  });

  test("is left alone when it is cleaned a second time", () => {
    fc.assert(
      fc.property(names, options, (name, how) => {
        const cleaned = cleanFileName(name, how);
        expect(cleanFileName(cleaned, how)).toBe(cleaned);
      }),
      RUNS,
    );
  });
});

describe("the header for any name at all", () => {
  test("is a value that fetch and RFC 6266's grammar take, in printable ASCII", () => {
    fc.assert(
      fc.property(names, (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(/^[\x20-\x7e]+$/);
        expect(new Headers({ "content-disposition": header }).get("content-disposition")).toBe(header);
        expect(parse(header)).toMatchObject({ type: "attachment" });
      }),
      RUNS,
    );
  });

  test("names no folder, control or override on either way of reading it", () => {
    fc.assert(
      fc.property(names, (name) => {
        const { plain, extended } = parse(contentDisposition(name));
        for (const read of [plain ?? "", extended ?? ""]) {
          expect(read).not.toMatch(UNSEEN_IN_HEADER);
          expect(read).not.toMatch(/[/\\"]/);
        }
        expect(plain ?? "").not.toMatch(/%[0-9a-f]{2}/i);
      }),
      RUNS,
    );
  });

  test("gives a cleaned name back to the letter", () => {
    fc.assert(
      fc.property(names, options, (name, how) => {
        const cleaned = cleanFileName(name, how);
        const { plain, extended } = parse(contentDisposition(cleaned));
        expect(extended ?? plain).toBe(cleaned);
        expect(extended === undefined).toBe(plain === cleaned);
      }),
      RUNS,
    );
  });

  test("keeps an ASCII extension for a browser that reads `filename` only", () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(parse(contentDisposition(cleanFileName(name, { extension: "pdf" }))).plain).toMatch(/\.pdf$/i);
      }),
      RUNS,
    );
  });
});

const UNSEEN_IN_HEADER = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

interface Disposition {
  type: string;
  plain?: string;
  extended?: string;
}

// RFC 6266, section 4.1, with the quoted-string of RFC 9110, 5.6.4, and the ext-value of RFC 8187, 3.2.1.
function parse(header: string): Disposition {
  const type = /^[!#$%&'*+.^_`|~0-9a-z-]+/i.exec(header)?.[0] ?? refuse(header);
  const disposition: Disposition = { type };
  let rest = header.slice(type.length);
  while (rest !== "") {
    const parameter = PARAMETER.exec(rest) ?? refuse(rest);
    const [whole, name, quoted, extended] = parameter;
    const key = name === "filename" ? "plain" : name === "filename*" ? "extended" : refuse(rest);
    if (key in disposition) refuse(rest);
    disposition[key] = key === "plain" ? unquote(quoted ?? refuse(rest)) : decode(extended ?? refuse(rest));
    rest = rest.slice(whole.length);
  }
  return disposition;
}

const PARAMETER =
  /^[ \t]*;[ \t]*([a-z]+\*?)=(?:"((?:[\t \x21\x23-\x5b\x5d-\x7e]|\\[\t -\x7e])*)"|UTF-8'[a-z-]*'((?:%[0-9a-f]{2}|[!#$&+.^_`|~0-9a-z-])*))(?=[ \t]*(?:;|$))/i;

function unquote(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

function decode(text: string): string {
  const bytes: number[] = [];
  for (const [sign, hex] of text.matchAll(/%(..)|[^%]/g))
    bytes.push(hex ? parseInt(hex, 16) : sign.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

function refuse(part: string): never {
  throw new Error(`Not a Content-Disposition: ${part}`);
}
