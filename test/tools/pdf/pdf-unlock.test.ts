import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../wire/bytes.ts";
import { rotatePdf } from "../../../tools/pdf-rotate.ts";
import { unlockPdf } from "../../../tools/pdf-unlock.ts";
import { assertClean, pageTexts } from "./support/judges.ts";
import { bytesOf, makePdf, pagesPdf, refusal, stream, textOf } from "./support/pdf-made.ts";

/** One page, encrypted by qpdf; the user's password is "geheim", the owner's "chef". */
function locked(name: string): Bytes {
  return new Uint8Array(readFileSync(new URL(`../../files/encrypted/${name}.pdf`, import.meta.url)));
}

const KINDS = [
  "rc4-40",
  "rc4-128",
  "rc4-v4",
  "aes-128",
  "aes-128-clear-metadata",
  "aes-256-r5",
  "aes-256-r6",
  "aes-256-clear-metadata",
];

async function assertOpen(bytes: Uint8Array): Promise<void> {
  const text = textOf(bytes);
  expect(text).toContain("BT /F1 18 Tf 20 40 Td (Locked words) Tj ET");
  expect(text).toContain("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>");
  expect(text).not.toContain("/Encrypt");
  assertClean(bytes);
  expect(await pageTexts(bytes)).toEqual(["Locked words"]);
}

describe.each(KINDS)("a PDF locked with %s", (kind) => {
  test.each(["geheim", "chef"])("opens with %s", async (password) => {
    const { bytes, encrypted, passwordNeeded, pages } = await unlockPdf(locked(kind), { password });
    expect({ encrypted, passwordNeeded, pages }).toEqual({ encrypted: true, passwordNeeded: true, pages: 1 });
    await assertOpen(bytes);
  });

  test("asks for a password and refuses a wrong one", async () => {
    for (const password of [undefined, ""]) {
      const failure = await refusal(() => unlockPdf(locked(kind), { password }));
      expect(failure.code).toBe("password_required");
      expect(failure.fields).toEqual({ passwordNeeded: true });
    }
    const failure = await refusal(() => unlockPdf(locked(kind), { password: "Geheim" }));
    expect(failure.code).toBe("password_wrong");
    expect(failure.fields).toEqual({ passwordNeeded: true });
    expect(failure.message).not.toContain("Geheim");
  });
});

describe("a PDF that only its owner restricts", () => {
  test.each([
    ["owner-rc4", ["print", "copy", "print_high_quality"]],
    ["owner-aes", ["modify", "annotate", "fill_forms", "assemble"]],
  ])("%s opens by itself and tells what it forbade", async (name, removed) => {
    for (const password of [undefined, "", "chef", "anything"]) {
      const answer = await unlockPdf(locked(name), { password });
      expect(answer).toMatchObject({ encrypted: true, passwordNeeded: false });
      expect(answer.removed.toSorted()).toEqual(removed.toSorted());
      await assertOpen(answer.bytes);
    }
  });

  test("opens in another tool too", async () => {
    const { bytes, passwordNeeded } = await rotatePdf(locked("owner-aes"), { angle: 90 });
    expect(passwordNeeded).toBe(false);
    await assertOpen(bytes);
  });
});

test.each([
  ["umlaut-latin1", "Zürich€"],
  ["umlaut-pdfdoc", "Zürich€"],
  ["umlaut-utf8-old", "Zürich€"],
  ["umlaut-utf8-new", "Zürich€"],
  ["umlaut-latin1-new", "Zürich€"],
])("a password beyond ASCII opens %s, however it was turned into bytes", async (name, password) => {
  await assertOpen((await unlockPdf(locked(name), { password })).bytes);
  expect((await refusal(() => unlockPdf(locked(name), { password: "Zurich€" }))).code).toBe("password_wrong");
});

test("a PDF that is not encrypted comes back byte for byte", async () => {
  const file = pagesPdf(2);
  const answer = await unlockPdf(file, { password: "needless" });
  expect(answer).toEqual({
    bytes: file,
    encrypted: false,
    passwordNeeded: false,
    removed: [],
    pages: 2,
    warnings: [],
  });
});

test("strings come out as they went in", async () => {
  const { bytes } = await unlockPdf(locked("rc4-40"), { password: "geheim" });
  expect(textOf(bytes)).toContain(Buffer.from("A locked (title)", "latin1").toString("hex"));
});

test("the identity of the document stays", async () => {
  const { bytes } = await unlockPdf(locked("aes-128"), { password: "geheim" });
  expect(textOf(bytes).toLowerCase()).toContain("/id [ <00112233445566778899aabbccddeeff>");
});

test.each([
  [
    "certificates",
    "<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/CF<</DefaultCryptFilter<</CFM/AESV2/Recipients[<00>]>>>>>>",
    "certificate_required",
  ],
  ["certificates of another maker", "<</Filter/Own/SubFilter/adbe.pkcs7.s4/V 1>>", "certificate_required"],
  ["a handler nobody knows", "<</Filter/Own/V 4/R 4>>", "unsupported_feature"],
  ["V 3", "<</Filter/Standard/V 3/R 3/O()/U()/P 0>>", "unsupported_feature"],
  ["R 7", "<</Filter/Standard/V 5/R 7/O()/U()/P 0>>", "unsupported_feature"],
])("encryption with %s is refused by name", async (_, encrypt, code) => {
  const objects = {
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    3: "<</Type/Page>>",
    4: stream(""),
  };
  const failure = await refusal(() => unlockPdf(makePdf(objects, { trailer: `/Encrypt ${encrypt}` })));
  expect(failure.code).toBe(code);
});

test("a locked PDF with a damaged cross-reference opens", async () => {
  const text = textOf(locked("aes-256-r6")).replace(/startxref\n\d+/, "startxref\n3");
  const { bytes, warnings } = await unlockPdf(bytesOf(text), { password: "geheim" });
  await assertOpen(bytes);
  expect(warnings).toContainEqual({ code: "xref_rebuilt" });
});

describe("a stream in a locked PDF that is not encrypted itself", () => {
  /** The content of the page in clear text, under a filter of its own. */
  const withContent = (filter: string, named: string) => {
    const content = stream("BT /F1 18 Tf 20 40 Td (Clear words) Tj ET", filter);
    const objects = `6 0 obj\n${content}\nendobj\n90 0 obj\n${named}\nendobj\n`;
    const text = textOf(locked("aes-256-r6")).replace("\nxref\n", `\n${objects}xref\n`);
    return bytesOf(text.replace(/startxref\n\d+/, "startxref\n3"));
  };

  test.each([
    ["itself", "/Filter/Crypt", "null"],
    ["by a reference", "/Filter 90 0 R", "/Crypt"],
    ["by a reference to a list", "/Filter 90 0 R", "[/Crypt]"],
    ["in a list of references", "/Filter[90 0 R]", "/Crypt"],
    ["with parameters by a reference", "/Filter/Crypt/DecodeParms 90 0 R", "<</Name/Identity>>"],
    [
      "with a list of parameters",
      "/Filter[/Crypt]/DecodeParms[90 0 R]",
      "<</Type/CryptFilterDecodeParms/Name/Identity>>",
    ],
  ])("stays as it is where it says so %s", async (_, filter, named) => {
    const { bytes } = await unlockPdf(withContent(filter, named), { password: "geheim" });
    expect(await pageTexts(bytes)).toEqual(["Clear words"]);
    expect(textOf(bytes)).not.toContain("/Crypt");
    assertClean(bytes);
  });

  test("opens where its filter leads to itself", async () => {
    for (const named of ["6 0 R", "90 0 R", stream("", "/Filter 90 0 R")])
      await unlockPdf(withContent("/Filter 90 0 R", named), { password: "geheim" });
  });
});
