// slow
import { expect, test } from "vitest";
import type { Bytes } from "../../../../wire/bytes.ts";
import { lockPdf, type LockPdfOptions } from "../../../../tools/pdf-lock.ts";
import { unlockPdf } from "../../../../tools/pdf-unlock.ts";
import { describeWith, testWith } from "../../../machine/skips.ts";
import { ask, clearText } from "../support/judges.ts";
import { makePdf, pagesPdf, stream, textOf } from "../support/pdf-made.ts";

const SIGNATURE = "/V<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<c0ffee>>>";
const NAMES = "/Names<</EmbeddedFiles<</Names[(a) 90 0 R]>>>>";

/** A page, a form with a signature, an attachment, metadata and a title. */
function rich(): Bytes {
  const form = `/AcroForm<</SigFlags 3/Fields[<</FT/Sig/T(signed)${SIGNATURE}>>]>>`;
  return makePdf(
    {
      1: `<</Type/Catalog/Pages 2 0 R${form}${NAMES}/Lang(en)/Metadata 7 0 R>>`,
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
      4: stream("BT /F1 18 Tf 20 40 Td (Page 1) Tj ET"),
      5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      6: "<</Title(A \\(locked\\) title)>>",
      7: stream("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>", "/Type/Metadata/Subtype/XML"),
      90: "<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 91 0 R>>>>",
      91: stream("attached words", "/Type/EmbeddedFile/Params<</Size 14/CreationDate(D:20260101)>>"),
    },
    { trailer: "/Info 6 0 R/ID[<01><02>]" },
  );
}

async function lock(file: Bytes, options: Partial<LockPdfOptions> = {}): Promise<Bytes> {
  return (await lockPdf(file, { password: "geheim", ...options })).bytes;
}

const PASSWORDS = [
  ["geheim", "geheim"],
  ["Ⅸ", "IX"],
  ["geh\u00adeim", "geheim"],
  ["re\u0301sume\u0301", "résumé"],
  ["a\u3000b", "a b"],
  ["密码", "密码"],
  ["x".repeat(127), "x".repeat(127)],
] as const;

describeWith("qpdf")("qpdf", () => {
  const inside = (bytes: Bytes) => textOf(Buffer.from(clearText(bytes), "latin1"));

  test.each(PASSWORDS)("finds nothing wrong, opening %j with %j", async (password, prepared) => {
    const said = ask(await lock(rich(), { password }), ["qpdf", `--password=${prepared}`, "--check", "@"]);
    expect(said).toContain("PDF Version: 1.7 extension level 8");
    expect(said).toContain("No syntax or stream encoding errors found");
  });

  test("reads all that was there, object for object", async () => {
    const files = [rich(), pagesPdf(3), Uint8Array.from(Buffer.from(withObjectStreams(rich()), "latin1"))];
    for (const file of files) {
      const { bytes } = await unlockPdf(await lock(file), { password: "geheim" });
      const theirs = ask(await lock(file), ["qpdf", "--password=geheim", "--decrypt", ...PLAIN, "@", "-"]);
      const before = comparable(ask(file, ["qpdf", ...PLAIN, "@", "-"]));
      expect(comparable(theirs)).toBe(before);
      expect(comparable(ask(bytes, ["qpdf", ...PLAIN, "@", "-"]))).toBe(before);
    }
  });

  test.each([
    ["print", ["print low resolution", "print high resolution"]],
    ["copy", ["extract for any purpose"]],
    ["edit", ["modify other"]],
    ["annotate", ["modify annotations"]],
    ["fill", ["modify forms"]],
    ["assemble", ["modify document assembly"]],
    ["none", []],
  ] as const)("says that %s alone allows %j", async (right, names) => {
    const bytes = await lock(rich(), { allow: [right] });
    const said = ask(bytes, ["qpdf", "--password=geheim", "--show-encryption", "@"]);
    const allowed = [...said.matchAll(/^(.*): allowed$/gm)].map(([, name]) => name);
    expect(new Set(allowed)).toEqual(new Set(["extract for accessibility", ...names]));
    expect(said).toContain("R = 6\n");
    expect([...said.matchAll(/encryption method: (.*)/g)].map(([, method]) => method)).toEqual([
      "AESv3",
      "AESv3",
      "AESv3",
    ]);
  });

  test("knows the owner's password from the user's", async () => {
    const bytes = await lock(rich(), { ownerPassword: "chef" });
    const said = (password: string) =>
      ask(bytes, ["qpdf", `--password=${password}`, "--show-encryption", "@"]);
    expect(said("chef")).toContain("Supplied password is owner password");
    expect(said("chef")).not.toContain("Supplied password is user password");
    expect(said("geheim")).toContain("Supplied password is user password");
    expect(() => ask(bytes, ["qpdf", "--password=Geheim", "--check", "@"])).toThrow("invalid password");
  });

  test("finds the attachment", async () => {
    const show = ["qpdf", "--password=geheim", "--show-attachment=a", "@"] as const;
    expect(ask(await lock(rich()), [...show])).toBe("attached words");
  });

  test("keeps extensions beside the one for AES-256", async () => {
    const extra = "/Extensions<</OWN_<</BaseVersion/1.7/ExtensionLevel 1>>/ADBE<</ExtensionLevel 3>>>>";
    const { bytes } = await unlockPdf(await lock(pagesPdf(1, { extra })), { password: "geheim" });
    const [, ours = ""] = /\/Extensions <<(.*?)\n {2}>>/s.exec(inside(bytes)) ?? [];
    expect(ours.replace(/\s+/g, " ").trim()).toBe(
      "/ADBE << /BaseVersion /1.7 /ExtensionLevel 8 >> /OWN_ << /BaseVersion /1.7 /ExtensionLevel 1 >>",
    );
  });
});

const PLAIN = ["--qdf", "--object-streams=disable", "--static-id", "--no-original-object-ids"];

function withObjectStreams(file: Bytes): string {
  return ask(file, ["qpdf", "--object-streams=generate", "@", "-"]);
}

/** Without version, extension and offsets, in which the two may differ. */
function comparable(qdf: string): string {
  return qdf
    .replace(/^%PDF-.*/, "")
    .replace(/ {2}\/Extensions <<.*?\n {2}>>\n/s, "")
    .replace(/\nxref\n.*/s, "")
    .replace(/%% .*/g, "");
}

testWith("poppler").each([
  ["-upw", "geheim"],
  ["-opw", "chef"],
])("poppler reads the words with %s %s", async (option, password) => {
  const bytes = await lock(rich(), { ownerPassword: "chef" });
  expect(ask(bytes, ["pdftotext", "-q", option, password, "@", "-"]).trim()).toBe("Page 1");
  expect(ask(bytes, ["pdfinfo", option, password, "@"])).toMatch(/Title: +A \(locked\) title/);
  expect(() => ask(bytes, ["pdftotext", "-q", option, "wrong", "@", "-"])).toThrow();
});

testWith("poppler")("poppler is told what is allowed", async () => {
  const bytes = await lock(rich(), { allow: ["print", "annotate"] });
  expect(ask(bytes, ["pdfinfo", "-upw", "geheim", "@"])).toMatch(
    /Encrypted: +yes \(print:yes copy:no change:no addNotes:yes algorithm:AES-256\)/,
  );
});

testWith("mutool").each(PASSWORDS)(
  "mutool reads the words of what %j locks with %j",
  async (password, prepared) => {
    const bytes = await lock(rich(), { password, ownerPassword: "chef" });
    for (const each of [prepared, "chef"]) {
      expect(ask(bytes, ["mutool", "draw", "-q", "-F", "txt", "-p", each, "@"]).trim()).toBe("Page 1");
    }
  },
);

test.each(PASSWORDS)(
  "pdf.js reads words, title and permissions of what %j locks",
  async (password, prepared) => {
    const { getDocument, PermissionFlag, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
    const bytes = await lock(rich(), { password, ownerPassword: "chef", allow: ["print", "fill"] });
    const open = (given: string) =>
      getDocument({ data: bytes.slice(), password: given, verbosity: VerbosityLevel.ERRORS });
    await expect(open("wrong").promise).rejects.toThrow("Incorrect Password");
    const task = open(prepared);
    const document = await task.promise;
    const [item] = (await (await document.getPage(1)).getTextContent()).items;
    expect(item).toMatchObject({ str: "Page 1" });
    const allowed = (await document.getPermissions()) ?? [];
    const { PRINT, PRINT_HIGH_QUALITY, FILL_INTERACTIVE_FORMS, COPY_FOR_ACCESSIBILITY } = PermissionFlag;
    const expected = [PRINT, PRINT_HIGH_QUALITY, FILL_INTERACTIVE_FORMS, COPY_FOR_ACCESSIBILITY];
    expect(new Set(allowed)).toEqual(new Set(expected));
    const { info } = await document.getMetadata();
    expect(info).toMatchObject({ Title: "A (locked) title" });
    await task.destroy();
  },
);
