import { expect, test } from "vitest";
import { createSharpCodec } from "../../../../adapters/workers/image-sharp.ts";
import { compressPdf } from "../../../../tools/pdf-compress.ts";
import { assertClean, openWithPdfjs } from "../support/judges.ts";
import { stream, textOf } from "../support/pdf-made.ts";
import { imagePdf, jpegImage, photograph } from "./support/image-pdf.ts";

const codec = createSharpCodec();

/** Everything of a document but its images, as pdf.js reads it. */
async function readAll(bytes: Uint8Array) {
  const document = await openWithPdfjs(bytes);
  const page = await document.getPage(1);
  const annotations = await page.getAnnotations();
  const read = {
    text: (await page.getTextContent()).items.map((item) => ("str" in item ? item.str : "")),
    annotations: annotations.map(({ subtype, rect, url, dest, fieldName, fieldValue }) => {
      return { subtype, rect, url, dest, fieldName, fieldValue };
    }),
    tags: await page.getStructTree(),
    bookmarks: (await document.getOutline())?.map(({ title, dest }) => ({ title, dest })),
    labels: await document.getPageLabels(),
    attachments: Object.values((await document.getAttachments()) ?? {}).map(({ filename, content }) => [
      filename,
      textOf(content),
    ]),
    layers: (await document.getOptionalContentConfig()).getOrder()?.length,
    scripts: await document.getJSActions(),
    title: (await document.getMetadata()).info,
  };
  await document.loadingTask.destroy();
  return read;
}

const CATALOG =
  "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 20 0 R/AcroForm<</Fields[24 0 R]/DR<</Font<</F 6 0 R>>>>>>" +
  "/Outlines 26 0 R/PageLabels<</Nums[0<</S/r>>]>>/OCProperties<</OCGs[28 0 R]/D<</Order[28 0 R]>>>>" +
  "/Names<</EmbeddedFiles<</Names[(a)29 0 R]>>/Dests<</Names[(there)[3 0 R/Fit]]>>>>/OpenAction<</S/JavaScript/JS(1)>>>>";

test("keeps text, links, tags, forms, bookmarks, labels, layers, attachments and scripts", async () => {
  const image = await jpegImage(photograph(400, 400, 3), { width: 400, height: 400, channels: 3 });
  const content =
    "/P<</MCID 0>>BDC BT /F 9 Tf 9 9 Td (tagged) Tj ET EMC /OC/L BDC q 72 0 0 72 0 0 cm /I Do Q EMC";
  const file = imagePdf(image, {
    content,
    resources: "/Properties<</L 28 0 R>>",
    page: "/StructParents 0/Annots[23 0 R 24 0 R 25 0 R]",
    objects: {
      1: CATALOG,
      20: "<</Type/StructTreeRoot/K 21 0 R/ParentTree 22 0 R>>",
      21: "<</Type/StructElem/S/P/P 20 0 R/Pg 3 0 R/K 0>>",
      22: "<</Nums[0[21 0 R]]>>",
      23: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.org/)>>>>",
      24: "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada)/Rect[20 20 90 40]/DA(/F 9 Tf)/AP<</N 30 0 R>>>>",
      25: "<</Type/Annot/Subtype/Link/Rect[9 9 20 20]/Dest(there)>>",
      26: "<</First 27 0 R/Last 27 0 R/Count 1>>",
      27: "<</Title(Begin)/Parent 26 0 R/Dest[3 0 R/Fit]>>",
      28: "<</Type/OCG/Name(Layer)>>",
      29: "<</Type/Filespec/F(a.txt)/EF<</F 31 0 R>>>>",
      30: stream(
        "/Tx BMC BT /F 9 Tf (Ada) Tj ET EMC",
        "/Subtype/Form/BBox[0 0 70 20]/Resources<</Font<</F 6 0 R>>>>",
      ),
      31: stream("attached ".repeat(99), "/Type/EmbeddedFile"),
      32: "<</Title(A title)>>",
    },
    made: { trailer: "/Info 32 0 R" },
  });
  const { bytes, images, warnings } = await compressPdf(file, { codec });
  expect({ images, warnings }).toEqual({ images: 1, warnings: [] });
  assertClean(bytes);
  const [before, after] = [await readAll(file), await readAll(bytes)];
  expect(before).toMatchObject({ annotations: [{}, {}, { fieldValue: "Ada" }], tags: { role: "Root" } });
  expect(withoutNumbers(after)).toEqual(withoutNumbers(before));
});

/** Objects are numbered anew, and object streams need a version. */
function withoutNumbers({ title, ...rest }: Awaited<ReturnType<typeof readAll>>): unknown {
  const text = JSON.stringify({ ...rest, title: { ...title, PDFFormatVersion: "" } });
  return JSON.parse(text.replace(/"num":\d+/g, '"num":0').replace(/"p\d+R/g, '"pR'));
}

test.each([
  ["/ASCIIHexDecode", (data: Uint8Array) => Buffer.from(Buffer.from(data).toString("hex") + ">")],
  ["/RunLengthDecode", runLengths],
  [
    "[/ASCIIHexDecode/RunLengthDecode]",
    (data: Uint8Array) => Buffer.from(runLengths(data).toString("hex") + ">"),
  ],
])("reads samples that are packed by %s", async (filter, pack) => {
  const data = photograph(300, 300, 1);
  const entries = `/Width 300/Height 300/BitsPerComponent 8/ColorSpace/DeviceGray/Filter${filter}`;
  const { bytes, images } = await compressPdf(imagePdf({ entries, data: pack(data) }), { codec });
  expect([images, textOf(bytes)]).toEqual([1, expect.stringMatching(/\/Width 150\b/)]);
});

/** Each byte once, in runs of 128 (ISO 32000-1, 7.4.5). */
function runLengths(data: Uint8Array): Buffer {
  const runs = Array.from({ length: Math.ceil(data.length / 128) }, (_, i) =>
    data.subarray(i * 128, i * 128 + 128),
  );
  return Buffer.concat([...runs.flatMap((run) => [Buffer.of(run.length - 1), run]), Buffer.of(128)]);
}
