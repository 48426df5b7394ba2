import { hexByte } from "../syntax/strings.ts";
import { type Bytes, utf8 } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { deflate } from "../filters/deflate.ts";
import { type PlainObject, writePlainPdf } from "../writer/serialize.ts";
import type { Size } from "../../image/pixels.ts";
import type { ImageFit } from "../../file/document-options.ts";
import type { Picture, Samples } from "./picture.ts";
import { type PictureTools, readPictures } from "./read-pictures.ts";

/** Makes a PDF with one page for each picture in an image. @throws ToolFailure as readPictures */
export async function makeImageDocument(
  image: Bytes,
  { fit, ...tools }: PictureTools & { readonly fit: ImageFit },
): Promise<{ bytes: Bytes; warnings: readonly ToolWarning[] }> {
  const objects: PlainObject[] = ["<</Type/Catalog/Pages 2 0 R>>", ""];
  const pages: number[] = [];
  const warnings = new Map<string, ToolWarning>();
  for await (const read of readPictures(image, tools)) {
    pages.push(addPage(objects, read.picture, fit));
    for (const warning of read.warnings) warnings.set(warning.code, warning);
  }
  const kids = pages.map((page) => `${page} 0 R`).join(" ");
  objects[1] = `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`;
  return { bytes: writePlainPdf(objects), warnings: [...warnings.values()] };
}

/** Numbers start at 1. */
function add(objects: PlainObject[], object: PlainObject): number {
  return objects.push(object);
}

function addPage(objects: PlainObject[], picture: Picture, fit: ImageFit): number {
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
  return `[/Indexed${base} ${highest}<${Array.from(palette, hexByte).join("")}>]`;
}

/** In points: 210 x 297 mm, and 8.5 x 11 inches. */
const SHEETS: Record<Exclude<ImageFit, "image">, Size> = {
  a4: { width: 595.276, height: 841.89 },
  letter: { width: 612, height: 792 },
};
const POINTS_PER_INCH = 72;
/** For an image without a resolution: that of CSS pixels. */
const USUAL_RESOLUTION = 96;
/** The limits for the sides of a page in points (ISO 32000-1, annex C). */
const [SHORTEST, LONGEST] = [3, 14_400];

/** The position of a picture on its page. */
interface Layout {
  /** In points. */
  readonly page: Size;
  /** From the unit square of an image to the page (ISO 32000-1, 8.9.3). */
  readonly matrix: readonly number[];
}

/** Lays a picture on an upright page, turned according to its orientation. */
function layOut(picture: Picture, fit: ImageFit): Layout {
  const { orientation } = picture.placement;
  const { width, height } = sizeOf(picture);
  const shown = orientation >= 5 ? { width: height, height: width } : { width, height };
  if (fit === "image") {
    const longest = Math.max(shown.width, shown.height);
    const page = scale(shown, longest > LONGEST ? LONGEST / longest : 1);
    return { page, matrix: turn(orientation, { ...page, x: 0, y: 0 }) };
  }
  const page = sheetFor(shown, SHEETS[fit]);
  const placed = scale(shown, Math.min(page.width / shown.width, page.height / shown.height));
  const corner = { x: (page.width - placed.width) / 2, y: (page.height - placed.height) / 2 };
  return { page, matrix: turn(orientation, { ...placed, ...corner }) };
}

/** The stored size in points, before it is turned. */
function sizeOf({ width, height, placement: { resolution } }: Picture): Size {
  const { x, y } = resolution ?? { x: USUAL_RESOLUTION, y: USUAL_RESOLUTION };
  return { width: (width * POINTS_PER_INCH) / x, height: (height * POINTS_PER_INCH) / y };
}

function scale({ width, height }: Size, factor: number): Size {
  const side = (length: number) => round(Math.max(SHORTEST, length * factor));
  return { width: side(width), height: side(height) };
}

function sheetFor({ width, height }: Size, sheet: Size): Size {
  return width > height ? { width: sheet.height, height: sheet.width } : sheet;
}

/** Applies the eight orientations of Exif 2.32, 4.6.4.A. The first row of an image is at the top of its unit square. */
function turn(orientation: number, { x, y, width: w, height: h }: Size & { x: number; y: number }): number[] {
  const [right, top] = [x + w, y + h];
  const matrices = [
    [w, 0, 0, h, x, y],
    [-w, 0, 0, h, right, y],
    [-w, 0, 0, -h, right, top],
    [w, 0, 0, -h, x, top],
    [0, -h, -w, 0, right, top],
    [0, -h, w, 0, x, top],
    [0, h, w, 0, x, y],
    [0, h, -w, 0, right, y],
  ];
  return (matrices[orientation - 1] ?? matrices[0] ?? []).map(round);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
