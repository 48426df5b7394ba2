import { viewOf } from "../image-info.ts";
import { type Directory, type Entry, readDirectory } from "./exif.ts";

/** Pixels per inch, horizontally and vertically. */
export interface Resolution {
  readonly x: number;
  readonly y: number;
}

/** The size and orientation of an image on paper. */
export interface Placement {
  /** 1 to 8, as in Exif and TIFF: where the first row and column are when it is viewed. */
  readonly orientation: number;
  /** For the rows and columns as they are stored. */
  readonly resolution: Resolution | undefined;
}

const TAG = { orientation: 0x112, x: 0x11a, y: 0x11b, unit: 0x128 } as const;
const CENTIMETERS = 3;
/** Without a unit it is the inch; 1 means that only the proportion is known. */
const [INCHES, NO_UNIT] = [2, 1];
const CENTIMETERS_PER_INCH = 2.54;

/** Reads orientation and resolution from an Exif block; one that is damaged or missing says nothing. */
export function readExifPlacement(tiff: Uint8Array = new Uint8Array(0)): Placement {
  try {
    const isLittle = tiff[0] === 0x49;
    return placementOf(readDirectory(tiff, viewOf(tiff).getUint32(4, isLittle)), isLittle);
  } catch (error) {
    if (error instanceof RangeError) return { orientation: 1, resolution: undefined };
    throw error;
  }
}

/** Reads them from a directory of a TIFF (TIFF 6.0, section 8). */
export function placementOf({ entries }: Directory, isLittle: boolean): Placement {
  const [orientation = 1] = entries.get(TAG.orientation)?.values ?? [];
  const [unit = INCHES] = entries.get(TAG.unit)?.values ?? [];
  const [x, y] = [TAG.x, TAG.y].map((tag) => rationalOf(entries.get(tag), isLittle));
  const isKnown = unit !== NO_UNIT && x !== undefined;
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    resolution: isKnown ? resolutionOf({ x, y: y ?? x }, unit === CENTIMETERS) : undefined,
  };
}

function rationalOf(entry: Entry | undefined, isLittle: boolean): number | undefined {
  if (!entry || entry.data.length < 8) return undefined;
  const view = viewOf(entry.data);
  return view.getUint32(0, isLittle) / view.getUint32(4, isLittle);
}

/** No scanner or printer uses less or more. */
const [LEAST, MOST] = [10, 20_000];

/** A plausible resolution, in pixels per inch. */
export function resolutionOf({ x, y }: Resolution, isPerCentimeter: boolean): Resolution | undefined {
  const factor = isPerCentimeter ? CENTIMETERS_PER_INCH : 1;
  const isUsual = (value: number) => value * factor >= LEAST && value * factor <= MOST;
  return isUsual(x) && isUsual(y) ? { x: x * factor, y: y * factor } : undefined;
}
