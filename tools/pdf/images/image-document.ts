import { type Bytes, utf8 } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { deflate } from "../filters/deflate.ts";
import { type PlainObject, writePlainPdf } from "../writer/serialize.ts";
import type { ImageFit } from "../../document-options.ts";
import { layOut } from "./lay-out.ts";
import type { Picture, Samples } from "./picture.ts";
import { type PictureTools, readPictures } from "./read-pictures.ts";

export interface ImageDocument {
  readonly bytes: Bytes;
  readonly warnings: readonly ToolWarning[];
}

/** An image as a PDF with a page for each of its pictures. @throws ToolFailure as readPictures */
export async function makeImageDocument(
  image: Bytes,
  { fit, ...tools }: PictureTools & { readonly fit: ImageFit },
): Promise<ImageDocument> {
  const objects: PlainObject[] = ["<</Type/Catalog/Pages 2 0 R>>", ""];
  const pages: number[] = [];
  const warnings = new Map<string, ToolWarning>();
  for await (const read of readPictures(image, tools)) {
    pages.push(addPage(objects, { picture: read.picture, fit }));
    for (const warning of read.warnings) warnings.set(warning.code, warning);
  }
  const kids = pages.map((page) => `${page} 0 R`).join(" ");
  objects[1] = `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`;
  return { bytes: writePlainPdf(objects), warnings: [...warnings.values()] };
}

/** Numbers begin at 1. */
function add(objects: PlainObject[], object: PlainObject): number {
  return objects.push(object);
}

function addPage(objects: PlainObject[], { picture, fit }: { picture: Picture; fit: ImageFit }): number {
  const { page, matrix } = layOut(picture, fit);
  const image = add(objects, imageObject(objects, picture));
  const content = add(objects, { dict: "", data: utf8(`q ${matrix.join(" ")} cm /Im Do Q`) });
  const resources = `/Resources<</XObject<</Im ${image} 0 R>>>>`;
  const box = `/MediaBox[0 0 ${page.width} ${page.height}]`;
  return add(objects, `<</Type/Page/Parent 2 0 R${box}${resources}/Contents ${content} 0 R>>`);
}

function imageObject(objects: PlainObject[], picture: Picture): PlainObject {
  const { components, isInverted, colorKey, alpha, data } = picture;
  const mask = alpha && add(objects, { dict: imageDict(alpha, "/DeviceGray"), data: alpha.data });
  const dict = [
    imageDict(picture, colorSpace(objects, picture)),
    isInverted ? `/Decode[${"1 0 ".repeat(components).trim()}]` : "",
    colorKey ? `/Mask[${colorKey.flatMap((value) => [value, value]).join(" ")}]` : "",
    mask === undefined ? "" : `/SMask ${mask} 0 R`,
  ];
  return { dict: dict.join(""), data };
}

function imageDict({ width, height, bits, coding }: Samples, space: string): string {
  const size = `/Width ${width}/Height ${height}/BitsPerComponent ${bits}`;
  return `/Type/XObject/Subtype/Image${size}/ColorSpace${space}${coding}`;
}

const DEVICE = { 1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK" } as const;
const BYTES_PER_COLOR = 3;

function colorSpace(objects: PlainObject[], { components, profile, palette }: Picture): string {
  const device = DEVICE[components];
  const packed = profile && {
    dict: `/N ${components}/Alternate${device}/Filter/FlateDecode`,
    data: deflate(profile),
  };
  const base = packed ? `[/ICCBased ${add(objects, packed)} 0 R]` : device;
  if (!palette) return base;
  const highest = Math.floor(palette.length / BYTES_PER_COLOR) - 1;
  return `[/Indexed${base} ${highest}<${hexOf(palette)}>]`;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
