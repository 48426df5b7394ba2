import { randomBytes } from "node:crypto";
import { zlibSync } from "fflate";

/** Writes one more object and gives its number. */
export type Put = (body: string | Buffer) => number;

/** The number of the root of a structure tree. */
const TREE = 4;

/** A PDF of so many pages, each as `makePage` writes it; `makeTree` writes the root of a structure tree. */
export function makePdf(
  pages: number,
  makePage: (put: Put, page: number) => number,
  makeTree?: (put: Put) => string,
): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const places: number[] = [0, 0];
  let at = parts[0]!.length;
  const write = (num: number, body: string | Buffer): void => {
    const part = Buffer.concat([Buffer.from(`${num} 0 obj\n`), Buffer.from(body), Buffer.from("\nendobj\n")]);
    places[num] = at;
    at += part.length;
    parts.push(part);
  };
  const put: Put = (body) => {
    const num = Math.max(TREE + 1, places.length);
    write(num, body);
    return num;
  };
  write(3, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
  const kids = Array.from({ length: pages }, (_, page) => `${makePage(put, page)} 0 R`);
  write(2, `<</Type/Pages/Count ${pages}/MediaBox[0 0 612 792]/Kids[${kids.join(" ")}]>>`);
  write(TREE, makeTree?.(put) ?? "null");
  write(
    1,
    `<</Type/Catalog/Pages 2 0 R${makeTree ? `/MarkInfo<</Marked true>>/StructTreeRoot ${TREE} 0 R` : ""}>>`,
  );
  const lines = places.slice(1).map((place) => `${String(place).padStart(10, "0")} 00000 n \n`);
  const end = `xref\n0 ${places.length}\n0000000000 65535 f \n${lines.join("")}trailer\n<</Size ${places.length}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function streamOf(data: Uint8Array, entries: string): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${entries}/Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);
}

/** An image that is packed, as photographs are, so that no program packs it again. */
export function imagePage(put: Put): number {
  return pageOf(put, "/Filter/DCTDecode");
}

/** A page that is one JPEG. */
export function scannedPage({
  data,
  filter,
  width,
  height,
  isGray,
}: {
  data: Uint8Array;
  filter: "DCTDecode" | "FlateDecode";
  width: number;
  height: number;
  isGray: boolean;
}): (put: Put) => number {
  const about = `/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/${filter}`;
  return (put) => {
    const image = put(streamOf(data, `${about}/ColorSpace/Device${isGray ? "Gray" : "RGB"}`));
    const content = put(streamOf(Buffer.from("q 612 0 0 792 0 0 cm /I Do Q"), ""));
    const resources = `/Resources<</XObject<</I ${image} 0 R>>>>`;
    return put(`<</Type/Page/Parent 2 0 R/Contents ${content} 0 R${resources}>>`);
  };
}

/** An image that a program may pack, and qpdf does. */
export function rawImagePage(put: Put): number {
  return pageOf(put, "");
}

function pageOf(put: Put, filter: string): number {
  const entries = `/Subtype/Image/Width 500/Height 500/BitsPerComponent 8/ColorSpace/DeviceGray${filter}`;
  const image = put(streamOf(randomBytes(250_000), entries));
  const content = put(streamOf(Buffer.from("500 0 0 500 0 0 cm /Im Do"), ""));
  return put(`<</Type/Page/Parent 2 0 R/Contents ${content} 0 R/Resources<</XObject<</Im ${image} 0 R>>>>>>`);
}

export function textPage(put: Put): number {
  const lines = Array.from({ length: 90 }, () => `(${randomBytes(36).toString("base64")}) Tj 0 -12 Td`);
  const text = zlibSync(Buffer.from(`BT /F1 10 Tf 20 700 Td\n${lines.join("\n")} ET`));
  const content = put(streamOf(text, "/Filter/FlateDecode"));
  return put(`<</Type/Page/Parent 2 0 R/Contents ${content} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`);
}

export function annotatedPage(put: Put, page: number): number {
  const links = Array.from({ length: 150 }, (_, i) =>
    put(
      `<</Type/Annot/Subtype/Link/Rect[${i}.5 20.25 100.125 ${page}]/Border[0 0 0]/A<</S/URI/URI(https://example.org/${page}/${i})>>>>`,
    ),
  );
  return put(
    `<</Type/Page/Parent 2 0 R/Resources<<>>/Annots[${links.map((num) => `${num} 0 R`).join(" ")}]>>`,
  );
}

/** Pages whose every line is an element of a structure tree, as word processors write them. */
export function makeTaggedPdf(pages: number): Buffer {
  const elements: number[][] = [];
  const makePage = (put: Put, page: number): number => {
    const lines = Array.from({ length: 90 }, (_, i) => `/P <</MCID ${i}>> BDC (line ${i}) Tj 0 -8 Td EMC`);
    const text = zlibSync(Buffer.from(`BT /F1 8 Tf 20 780 Td\n${lines.join("\n")} ET`));
    const content = put(streamOf(text, "/Filter/FlateDecode"));
    const font = "/Resources<</Font<</F1 3 0 R>>>>";
    const num = put(`<</Type/Page/Parent 2 0 R/Contents ${content} 0 R/StructParents ${page}${font}>>`);
    const element = (_: string, i: number) =>
      put(`<</Type/StructElem/S/P/P ${TREE} 0 R/Pg ${num} 0 R/K ${i}>>`);
    elements.push(lines.map(element));
    return num;
  };
  const makeTree = (put: Put): string => {
    const lists = elements.map((list, page) => `${page} ${put(`[${list.map(refer).join(" ")}]`)} 0 R`);
    const parents = put(`<</Nums[${lists.join(" ")}]>>`);
    const kids = elements.flat().map(refer).join(" ");
    return `<</Type/StructTreeRoot/ParentTree ${parents} 0 R/ParentTreeNextKey ${pages}/K[${kids}]>>`;
  };
  return makePdf(pages, makePage, makeTree);
}

function refer(num: number): string {
  return `${num} 0 R`;
}
