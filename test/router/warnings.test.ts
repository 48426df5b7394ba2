import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { concatBytes, utf8, type Bytes } from "../../wire/bytes.ts";
import { type DescribedWarning, type WarningCode, WARNINGS } from "../../wire/tool-warning.ts";
import { warnOfFrames } from "../../web/work/canvas-codec.ts";
import { bytesOf as encoded, exifBlock, picture, withSegments } from "../tools/image/support/made.ts";
import { bytesOf, makePdf, pagesPdf, stream, textOf } from "../tools/pdf/support/pdf-made.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();

test("docs/warnings.md has one row for each code, from the table", () => {
  const doc = readFileSync(new URL("../../docs/warnings.md", import.meta.url), "utf8");
  const rows = doc.split("\n").filter((line) => line.startsWith("| `"));
  const cells = rows.map((line) => line.split("|").map((cell) => cell.trim()));
  expect(cells).toEqual(
    Object.entries(WARNINGS).map(([code, sentence]) => {
      const fields = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => `\`${name}\``);
      return ["", `\`${code}\``, sentence, fields.join(" "), ""];
    }),
  );
});

/** What is sent: where to, and a file, or several files, or a form. */
type Sent = readonly [path: string, body: Bytes | readonly Bytes[] | FormData];

const withCatalog = (extra: string): Bytes => pagesPdf(1, { extra });
const rotated = (file: Bytes): Sent => ["pdf-rotate", file];
const signed = (entries: string): Sent =>
  rotated(withCatalog(`/AcroForm<</Fields[<</FT/Sig/T(a)/V<</Type/Sig${entries}>>>>]>>`));
const first = (file: Bytes): Sent => ["pdf-split?mode=keep&range=1", file];
const eachPage = (extra: string): Sent => ["pdf-split", withCatalog(extra)];
const merged = (...files: Bytes[]): Sent => ["pdf-merge", files];
const converted = (file: Bytes, format: string): Sent => [`image-convert?format=${format}`, file];

const sound = textOf(pagesPdf(2));
const changed = (from: string | RegExp, to: string): Bytes => bytesOf(sound.replace(from, to));
const unindexed = changed("xref\n0", "xrxx\n0");
const fifth = `${String(sound.indexOf("\n5 0 obj") + 1).padStart(10, "0")} 00000 n`;

const onePage = (objects: Readonly<Record<number, string>>, extra = ""): Bytes =>
  makePdf({
    1: `<</Type/Catalog/Pages 2 0 R${extra}>>`,
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
    3: "<</Type/Page/Parent 2 0 R/StructParents 0/Contents 4 0 R>>",
    4: stream("/P <</MCID 0>> BDC EMC"),
    ...objects,
  });

const claiming = (trailer: string): Bytes =>
  bytesOf(
    textOf(
      onePage({ 5: stream("<pdfaid:part>1</pdfaid:part>", "/Type/Metadata/Subtype/XML") }, "/Metadata 5 0 R"),
    ).replace("/Root", `${trailer}/Root`),
  );
const standard = claiming("/ID[(a)(b)]");
const tagged = onePage(
  {
    5: "<</Type/StructTreeRoot/K[6 0 R]/ParentTree<</Nums[0[6 0 R]]>>>>",
    6: "<</Type/StructElem/S/P/P 5 0 R/Pg 3 0 R/K 0>>",
  },
  "/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R",
);
const lostObjects = bytesOf(
  textOf(onePage({ 5: stream("?", "/Type/ObjStm/N 1/First 4/Filter/UnknownDecode") })).replace(
    /startxref[^]*/,
    "",
  ),
);
const unreadable = onePage({
  3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
  4: stream("?", "/Filter/UnknownDecode"),
  5: "<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
});
const hugeImage = onePage({
  3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
  4: stream("/I Do"),
  5: stream("?", "/Subtype/Image/Width 10000/Height 5001/ColorSpace/DeviceGray/BitsPerComponent 8"),
});
const undrawn = onePage(
  {
    3: "<</Type/Page/Parent 2 0 R/Annots[5 0 R]>>",
    5: "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(b)/Rect[0 0 9 9]>>",
  },
  "/AcroForm<</Fields[5 0 R]>>",
);
const calculated = withCatalog("/AcroForm<</Fields[<</FT/Tx/T(a)>>]/CO[1 0 R]>>");
const restricted = new Uint8Array(readFileSync(new URL("../files/encrypted/owner-aes.pdf", import.meta.url)));

const jpeg = await encoded(picture(16, 8).jpeg());
const deep = await encoded(picture(16, 8).toColourspace("rgb16").png());
const frames = { width: 4, height: 8, channels: 3, pageHeight: 4 } as const;
const animated = await encoded(
  sharp(
    Uint8Array.from({ length: 96 }, (_, i) => (i < 48 ? 0 : 255)),
    { raw: frames },
  ).gif(),
);

function twoFiles(): FormData {
  const form = new FormData();
  for (const name of ["a", "b"]) form.append("file", new Blob([name]), name);
  return form;
}

/** For every code that an envelope can have, a call that leads to it. */
const CAUSES: Readonly<Record<Exclude<WarningCode, "first_frame_in_browser" | "body_stored_as_is">, Sent>> = {
  xref_rebuilt: rotated(unindexed),
  objects_found: rotated(changed(fifth, fifth.replace("00000 n", "00007 n"))),
  objects_lost: rotated(lostObjects),
  pages_lost: rotated(changed("/Kids[4 0 R 6 0 R]", "/Kids[4 0 R 9 0 R]")),
  pages_found: rotated(changed("/Kids[4 0 R 6 0 R]", "/Kids[(4 0 R 6 0 R)]")),
  damage_left: ["pdf-unlock", unindexed],
  content_unreadable: first(unreadable),
  signatures_broken: signed(""),
  certification_broken: signed("/Reference[<</TransformMethod/DocMDP>>]"),
  usage_rights_broken: rotated(withCatalog("/Perms<</UR3<</Type/Sig>>>>")),
  restrictions_removed: rotated(restricted),
  xfa_left_out: first(withCatalog("/AcroForm<</XFA(x)/Fields[]>>")),
  threads_left_out: first(withCatalog("/Threads[]")),
  portfolio_left_out: first(withCatalog("/Collection<<>>")),
  media_left_out: first(withCatalog("/Names<</Renditions<<>>>>")),
  attachments_left_out: eachPage("/Names<</EmbeddedFiles<<>>>>"),
  scripts_left_out: eachPage("/Names<</JavaScript<<>>>>"),
  parts_too_large: ["pdf-split?mode=size&bytes=100", pagesPdf(2)],
  tags_not_repeated: ["pdf-split?mode=keep&range=1,1", tagged],
  language_left_out: merged(withCatalog("/Lang(en)"), withCatalog("/Lang(fr)")),
  fields_renamed: merged(calculated, calculated),
  standard_lost: rotated(claiming("")),
  standard_unchecked: first(standard),
  standard_not_shared: merged(standard, pagesPdf(1)),
  fields_not_drawn: ["pdf-clean?remove=forms", undrawn],
  images_too_large: ["pdf-compress", hugeImage],
  image_damaged: converted(concatBytes(animated.subarray(0, -1), Uint8Array.of(0x99, 1)), "webp"),
  first_frame_only: converted(animated, "png"),
  first_picture_only: converted(withSegments(jpeg, [[0xe2, utf8("MPF\0")]]), "webp"),
  depth_reduced: converted(deep, "webp"),
  gain_map_left_out: converted(withSegments(jpeg, [[0xe2, utf8("urn:iso:std:iso:ts:21496:-1\0")]]), "webp"),
  image_metadata_kept: merged(
    withSegments(jpeg, [[0xe1, concatBytes(utf8("Exif\0\0"), exifBlock())]]),
    pagesPdf(1),
  ),
  only_normalization_differs: ["text-compare", utf8(JSON.stringify({ a: "é", b: "e\u0301" }))],
  unknown_parameter: ["pdf-rotate?anlge=90", pagesPdf(1)],
  more_unknown_parameters: [`pdf-rotate?${"abcdefghijk".split("").join("&")}`, pagesPdf(1)],
  more_files_ignored: ["file-encrypt?password=p", twoFiles()],
};

function bodyOf(body: Sent[1]): BodyInit {
  if (body instanceof Uint8Array || body instanceof FormData) return body;
  const files = body.map((data, i) => ({ name: `${i}.pdf`, data: Buffer.from(data).toString("base64") }));
  return JSON.stringify({ files });
}

async function warningsOf([path, body]: Sent) {
  const send = (accept: string) =>
    service.request(`/api/tools/${path}`, { method: "POST", body: bodyOf(body), headers: { accept } });
  const header = (await send("*/*")).headers.get("tool-warning");
  const { warnings } = (await (await send("application/json")).json()) as { warnings: DescribedWarning[] };
  return { header, warnings };
}

test.each(Object.entries(CAUSES))(
  "%s is told by its code, and by its sentence in a header",
  async (code, sent) => {
    const { header, warnings } = await warningsOf(sent);
    expect(warnings.map((warning) => warning.code)).toContain(code);
    expect(header).toBe(warnings.map(({ message }) => message).join(", "));
    expect(header).not.toMatch(/[{}[\]]|undefined/);
  },
);

test.each([{}, { "content-type": "application/x-www-form-urlencoded" }])(
  "body_stored_as_is is told in a header alone %o",
  async (sent) => {
    const body = utf8('{"content":"x"}');
    const { headers } = await service.request("/api/secrets", { method: "POST", headers: sent, body });
    expect(headers.get("tool-warning")).toBe(WARNINGS.body_stored_as_is);
  },
);

test("body_stored_as_is is not told of a body that is refused", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = utf8('{"content":"a&secret=b"}');
  const answer = await service.request("/api/secrets", { method: "POST", headers, body });
  expect([answer.status, answer.headers.get("tool-warning")]).toEqual([400, null]);
});

test("first_frame_in_browser is told by the codec of the pages", () => {
  expect(warnOfFrames(animated, "webp")).toEqual([{ code: "first_frame_in_browser", frames: 2 }]);
});

test("only_normalization_differs is told of long texts too, over REST and RPC", async () => {
  const texts = { a: `${"=\n".repeat(2000)}é`, b: `${"=\n".repeat(2000)}e\u0301` };
  const { header, warnings } = await warningsOf(["text-compare", utf8(JSON.stringify(texts))]);
  const message = WARNINGS.only_normalization_differs;
  expect({ header, warnings }).toEqual({
    header: message,
    warnings: [{ code: "only_normalization_differs", message }],
  });
  expect(await service.client().tools.textCompare.mutate(texts)).toMatchObject({ warnings });
});

test("a warning of a merge names the file, and its number in the sentence", async () => {
  const { warnings } = await warningsOf(CAUSES.language_left_out);
  expect(warnings).toEqual([
    {
      code: "language_left_out",
      message: "File 2 of 2: The language of the document was left out.",
      file: { index: 1, name: "1.pdf" },
    },
  ]);
});
