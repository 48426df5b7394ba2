import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../../wire/bytes.ts";
import { lockPdf, type LockPdfOptions } from "../../../../tools/pdf-lock.ts";
import { unlockPdf } from "../../../../tools/pdf-unlock.ts";
import { assertClean, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, pagesPdf, refusal, stream, textOf } from "../support/pdf-made.ts";

const SMALL = pagesPdf(2);

function lock(options: Partial<LockPdfOptions> = {}, file: Bytes = SMALL) {
  return lockPdf(file, { password: "geheim", ...options });
}

/** The encryption dictionary, which is the only one that is written in clear. */
function encryptIn(bytes: Uint8Array): string {
  const [, dict = ""] = /obj\n(<<\/Filter \/Standard.*?>>)\nendobj/s.exec(textOf(bytes)) ?? [];
  return dict;
}

describe("a locked PDF", () => {
  test.each(["geheim", "chef"])("opens with %s, and has what it had", async (password) => {
    const { bytes, pages, warnings } = await lock({ ownerPassword: "chef" });
    expect({ pages, warnings }).toEqual({ pages: 2, warnings: [] });
    const opened = await unlockPdf(bytes, { password });
    expect(opened).toMatchObject({
      encrypted: true,
      passwordNeeded: true,
      removed: [],
      pages: 2,
      warnings: [],
    });
    assertClean(opened.bytes);
    expect(await pageTexts(opened.bytes)).toEqual(["Page 1", "Page 2"]);
  });

  test("says that all of it is encrypted with AES-256, revision 6", async () => {
    const { bytes } = await lock();
    const filter = "/CF <</StdCF <</AuthEvent /DocOpen/CFM /AESV3/Length 32>>>>";
    expect(encryptIn(bytes)).toContain(
      `<</Filter /Standard/V 5/R 6/Length 256/P -4/EncryptMetadata true${filter}/StmF /StdCF/StrF /StdCF/U <`,
    );
    expect(textOf(bytes)).toMatch(/^%PDF-1\.7\n/);
  });

  test("is another each time: key, salts and initialization vectors are random", async () => {
    const [one, two] = [await lock(), await lock()];
    const hexIn = (bytes: Uint8Array) => encryptIn(bytes).match(/<[0-9a-f]{32,}>/g) ?? [];
    expect(hexIn(one.bytes).map(({ length }) => length)).toEqual([98, 66, 98, 66, 34]);
    for (const each of hexIn(one.bytes)) expect(hexIn(two.bytes)).not.toContain(each);
    const starts = [...textOf(one.bytes).matchAll(/(?<!end)stream\n(.{16})/gs)].map(([, iv]) => iv);
    expect(starts.length).toBeGreaterThan(2);
    expect(new Set(starts).size).toBe(starts.length);
  });

  test("asks for the password, and takes no other", async () => {
    const { bytes } = await lock({ ownerPassword: "chef" });
    expect((await refusal(() => unlockPdf(bytes))).code).toBe("password_required");
    for (const password of ["Geheim", "chef ", "gehei"]) {
      expect((await refusal(() => unlockPdf(bytes, { password }))).code).toBe("password_wrong");
    }
  });

  test("keeps its /ID, and gets one where it has none", async () => {
    const idIn = (bytes: Uint8Array) =>
      /\/ID \[ <([0-9a-f]*)> <([0-9a-f]*)> \]/i.exec(textOf(bytes))?.slice(1);
    const own = makePdf(
      {
        1: "<</Type/Catalog/Pages 2 0 R>>",
        2: "<</Type/Pages/Count 1/Kids[4 0 R]/MediaBox[0 0 9 9]>>",
        3: "<00ff>",
        4: "<</Type/Page/Parent 2 0 R>>",
      },
      { trailer: "/ID[3 0 R <01>]" },
    );
    expect(idIn((await lock({}, own)).bytes)).toEqual(["00ff", "01"]);
    const [first, second] = idIn((await lock()).bytes) ?? [];
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });

  test("is PDF 1.7, or 2.0 where it was", async () => {
    const newer = bytesOf(textOf(SMALL).replace("%PDF-1.4", "%PDF-2.0"));
    expect(textOf((await lock({}, newer)).bytes)).toMatch(/^%PDF-2\.0\n/);
    const named = pagesPdf(1, { extra: "/Version/2.0" });
    expect(textOf((await lock({}, named)).bytes)).toMatch(/^%PDF-2\.0\n/);
  });

  test("has pages, or is refused", async () => {
    const empty = makePdf({ 1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Count 0/Kids[]>>" });
    expect((await refusal(() => lock({}, empty))).code).toBe("no_pages");
  });

  test("is no larger than the caller allows", async () => {
    const { bytes } = await lock();
    expect((await lock({ maxBytes: bytes.length + 8 })).bytes.length).toBeGreaterThan(0);
    expect((await refusal(() => lock({ maxBytes: bytes.length - 40 }))).code).toBe("result_too_large");
  });
});

// By bit of /P (ISO 32000-2, table 22); 7, 8, 13 to 32 and, for reading aloud, 10 are always set.
const NOTHING = 0xfffff2c0 | 0;
test.each([
  [["print"], [3, 12]],
  [["copy"], [5]],
  [["edit"], [4]],
  [["annotate"], [6]],
  [["fill"], [9]],
  [["assemble"], [11]],
  [
    ["print", "copy", "print"],
    [3, 5, 12],
  ],
  [["none"], []],
  [[], []],
  [undefined, [3, 4, 5, 6, 9, 11, 12]],
] as const)("allowing %j sets the bits %j", async (allow, bits) => {
  const expected = bits.reduce<number>((value, bit) => value | (1 << (bit - 1)), NOTHING);
  expect(encryptIn((await lock({ allow })).bytes)).toContain(`/P ${expected}/`);
});

test("what is not allowed is told by unlocking, and lifted", async () => {
  const { bytes } = await lock({ allow: ["print", "fill"] });
  const { removed } = await unlockPdf(bytes, { password: "geheim" });
  expect(removed).toEqual(["modify", "copy", "annotate", "assemble"]);
});

describe("nothing of the content is in the bytes of the result", () => {
  const WORDS = ["Geheimnis", "476568656", "G\0e\0h\0e\0i\0m"];
  const secret = "(Geheimnis)";
  const packed = textOf(deflateSync("8 0 9 16 (Geheimnis acht) <</A(Geheimnis)>>"));
  const parts: Readonly<Record<string, string>> = {
    "a page": `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Own${secret}/Box[${secret}<476568656D6E6973>]>>`,
    content: stream(`BT ${secret} Tj ET`),
    "the dictionary of a stream": stream("x", `/Own${secret}/Params<</Deep[${secret}]>>`),
    "clear metadata": stream(
      "Geheimnis",
      "/Type/Metadata/Subtype/XML/Filter/Crypt/DecodeParms<</Name/Identity>>",
    ),
    "an attachment": stream("Geheimnis", `/Type/EmbeddedFile/Params<</CheckSum${secret}>>`),
  };
  const objects = (layout: string) => ({
    1: `<</Type/Catalog/Pages 2 0 R/Own[4 0 R 5 0 R 6 0 R 7 0 R]${layout}/Title${secret}>>`,
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
    ...Object.fromEntries(Object.values(parts).map((body, i) => [i + 3, body])),
  });

  test.each([
    ["a plain document", makePdf(objects(""), { trailer: `/Info 8 0 R/Own${secret}` })],
    [
      "a trailer with an information dictionary",
      makePdf(objects(""), { trailer: `/Info<</Title${secret}>>` }),
    ],
    [
      "a document with object streams",
      makePdf(
        { ...objects("/More 8 0 R"), 10: stream(packed, "/Type/ObjStm/N 2/First 9/Filter/FlateDecode") },
        {
          version: "1.5",
        },
      ),
    ],
  ])("%s", async (_, file) => {
    expect(textOf(file)).toContain("Geheimnis");
    const { bytes } = await lock({}, file);
    for (const word of WORDS) expect(textOf(bytes)).not.toContain(word);
    const opened = textOf((await unlockPdf(bytes, { password: "geheim" })).bytes);
    for (const word of ["BT (Geheimnis) Tj ET", "stream\nGeheimnis\n"]) expect(opened).toContain(word);
    expect(opened).toContain(`/Own <${Buffer.from("Geheimnis").toString("hex")}>`);
    expect(opened).not.toContain("/Crypt");
  });
});

describe("a PDF that is locked already", () => {
  const locked = (name: string): Bytes =>
    new Uint8Array(readFileSync(new URL(`../../../files/encrypted/${name}.pdf`, import.meta.url)));

  test.each(["rc4-40", "aes-128-clear-metadata", "aes-256-r6"])("%s is locked anew", async (name) => {
    for (const openWith of ["geheim", "chef"]) {
      const { bytes, pages } = await lock({ password: "neu", openWith }, locked(name));
      expect(pages).toBe(1);
      expect(textOf(bytes)).not.toContain("xmpmeta");
      expect((await refusal(() => unlockPdf(bytes, { password: openWith }))).code).toBe("password_wrong");
      expect(await pageTexts((await unlockPdf(bytes, { password: "neu" })).bytes)).toEqual(["Locked words"]);
    }
  });

  test("is refused without its password, and with a wrong one", async () => {
    const without = await refusal(() => lock({}, locked("aes-256-r6")));
    expect(without).toMatchObject({ code: "password_required", fields: { passwordNeeded: true } });
    expect(without.message).toContain('"openWith"');
    const wrong = await refusal(() => lock({ openWith: "canary" }, locked("aes-256-r6")));
    expect(wrong).toMatchObject({ code: "password_wrong", fields: { passwordNeeded: true } });
    expect(wrong.message).not.toContain("canary");
  });

  test("needs none where only its owner restricts it, whose restrictions then end", async () => {
    const { bytes } = await lock({}, locked("owner-rc4"));
    expect((await unlockPdf(bytes, { password: "geheim" })).removed).toEqual([]);
  });
});

describe("passwords", () => {
  const refuse = async (options: Partial<LockPdfOptions>) => {
    const { code, fields, message } = await refusal(() => lock(options));
    return { code, parameter: fields.parameter, maximum: fields.maximum, message };
  };

  test.each([126, 127])("may have %i bytes", async (length) => {
    const password = "x".repeat(length);
    const { bytes } = await lock({ password });
    expect((await unlockPdf(bytes, { password })).pages).toBe(2);
    expect((await refusal(() => unlockPdf(bytes, { password: password.slice(1) }))).code).toBe(
      "password_wrong",
    );
  });

  test.each([
    ["128 bytes", "x".repeat(128)],
    ["64 characters of two bytes", "é".repeat(64)],
    ["11 characters that become four of three bytes", "㍿".repeat(11)],
  ])("may not have %s", async (_, long) => {
    const range = { code: "invalid_parameter", maximum: 127 };
    expect(await refuse({ password: long })).toMatchObject({ ...range, parameter: "password" });
    expect(await refuse({ ownerPassword: long })).toMatchObject({ ...range, parameter: "ownerPassword" });
  });

  test("is counted as it is prepared", async () => {
    const password = `${"x".repeat(127)}\u00ad`;
    const { bytes } = await lock({ password });
    expect((await unlockPdf(bytes, { password: "x".repeat(127) })).pages).toBe(2);
  });

  test.each(["", "\u00ad"])("%j is none", async (password) => {
    expect(await refuse({ password })).toMatchObject({ parameter: "password", maximum: 127 });
  });

  test.each(["canary\n", "canary\ud800", "א1", "canary\u202e"])(
    "%j is refused and not repeated",
    async (password) => {
      const refused = await refuse({ password });
      expect(refused).toMatchObject({ code: "invalid_parameter", parameter: "password" });
      expect(refused.message).not.toContain("canary");
    },
  );

  test.each([
    ["Ⅸ", "IX"],
    ["re\u0301sume\u0301", "résumé"],
    ["geh\u00adeim", "geheim"],
    ["a\u00a0b", "a b"],
    ["пароль", "пароль"],
    ["🔒", "🔒"],
  ])("%j opens as it was typed, and as %j", async (typed, prepared) => {
    const { bytes } = await lock({ password: typed });
    for (const password of [typed, prepared]) expect((await unlockPdf(bytes, { password })).pages).toBe(2);
  });

  test("an owner's that is the user's is refused where something is forbidden", async () => {
    const same = { ownerPassword: "geh\u00adeim", allow: ["print"] } as const;
    expect(await refuse(same)).toMatchObject({ code: "invalid_parameter", parameter: "ownerPassword" });
    expect((await lock({ ownerPassword: "geheim" })).pages).toBe(2);
  });
});

test.each([[["none", "print"]], [["prnt"]], [["Print"]]])("allowing %j is refused by name", async (allow) => {
  // As plain JavaScript may send it.
  const refused = await refusal(() => lock({ allow: allow as LockPdfOptions["allow"] }));
  expect(refused).toMatchObject({ code: "invalid_parameter", fields: { parameter: "allow" } });
  expect(refused.fields.allowed).toEqual(["print", "copy", "edit", "annotate", "fill", "assemble", "none"]);
});

describe("what a locked document loses is told", () => {
  test("signatures, whose own bytes stay", async () => {
    const value = "/V<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<c0ffee>>>";
    const file = pagesPdf(1, { extra: `/AcroForm<</SigFlags 3/Fields[<</FT/Sig/T(a)${value}>>]>>` });
    const { bytes, warnings } = await lock({}, file);
    expect(warnings).toEqual([{ code: "signatures_broken" }]);
    const opened = await unlockPdf(bytes, { password: "geheim" });
    expect(opened.warnings).toEqual([{ code: "signatures_broken" }]);
  });

  test.each([
    // PDF/A forbids encryption; the claim of PDF/UA is not fulfilled by a document without tags anyway.
    ["pdfaid", [{ code: "standard_lost", standard: "PDF/A-2", clause: "6.1.3" }]],
    ["pdfuaid", [{ code: "standard_lost", standard: "PDF/UA-2", clause: "8.2.1" }]],
  ])("a claim of %s", async (prefix, warnings) => {
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R>>",
      4: stream(`<x:xmpmeta><${prefix}:part>2</${prefix}:part></x:xmpmeta>`, "/Type/Metadata/Subtype/XML"),
    });
    expect((await lock({}, file)).warnings).toEqual(warnings);
  });

  test("a cross-reference that was damaged", async () => {
    const file = bytesOf(textOf(SMALL).replace("xref\n0", "xrxx\n0"));
    expect((await lock({}, file)).warnings).toEqual([{ code: "xref_rebuilt" }]);
  });
});

test("tells how far it is", async () => {
  const parts: number[] = [];
  await lock({ onProgress: (part) => parts.push(part) }, pagesPdf(200));
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.at(-1)).toBeGreaterThan(0.85);
});
