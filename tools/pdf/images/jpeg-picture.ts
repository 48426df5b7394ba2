import { type Bytes, joinBytes } from "../../../wire/bytes.ts";
import { shortLatin1, viewOf } from "../../image/image-info.ts";
import { jpegSegments } from "../../image/jpeg-metadata.ts";
import {
  type Placement,
  readExifPlacement,
  type Resolution,
  resolutionOf,
} from "../../image/readers/placement.ts";
import { fittingProfile, type Picture } from "./picture.ts";

/**
 * Frame headers (ISO/IEC 10918-1, table B.1) of the codings that DCTDecode supports: baseline, extended, progressive.
 */
const FRAMES = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
const KNOWN_FRAMES = [0xc0, 0xc1, 0xc2];
const [JFIF, EXIF, PROFILE] = [0xe0, 0xe1, 0xe2];
const LABELS = { jfif: "JFIF\0", exif: "Exif\0\0", profile: "ICC_PROFILE\0" } as const;
/** A profile is split into segments numbered from 1 (ICC.1:2022, B.4). */
const NUMBERS_BYTES = 2;

/**
 * A JPEG unchanged up to its end; undefined for a coding that PDF does not support.
 * @param endsAt the end of its first picture, because some cameras append others
 */
export function jpegPicture(image: Bytes, endsAt: number = image.length): Picture | undefined {
  const segments = jpegSegments(image);
  const frame = readFrame(segments);
  if (frame?.bits !== 8 || frame.width * frame.height === 0) return undefined;
  const { width, height, bits } = frame;
  const components = frame.components;
  if (components !== 1 && components !== 3 && components !== 4) return undefined;
  return {
    width,
    height,
    bits,
    components,
    coding: "/Filter/DCTDecode",
    data: image.subarray(0, endsAt),
    profile: fittingProfile(readProfile(segments), components),
    // Adobe's programs write inverted inks, and all others read them so, with Adobe's marker and without it.
    isInverted: components === 4,
    placement: readPlacement(segments),
  };
}

/** The placement of a JPEG on paper. */
export function jpegPlacement(image: Bytes): Placement {
  return readPlacement(jpegSegments(image));
}

function readPlacement(segments: readonly Uint8Array[]): Placement {
  const exif = find(segments, EXIF, LABELS.exif);
  const { orientation, resolution } = readExifPlacement(exif);
  return { orientation, resolution: readDensity(segments) ?? resolution };
}

function readFrame(
  segments: readonly Uint8Array[],
): { bits: number; width: number; height: number; components: number } | undefined {
  const [segment] = segments.filter(([, marker = 0]) => FRAMES.includes(marker));
  if (!segment || segment.length < 10 || !KNOWN_FRAMES.includes(segment[1] ?? 0)) return undefined;
  const view = viewOf(segment);
  return {
    bits: view.getUint8(4),
    height: view.getUint16(5),
    width: view.getUint16(7),
    components: view.getUint8(9),
  };
}

/** The data after the label in the first segment with it. */
function find(segments: readonly Uint8Array[], marker: number, label: string): Uint8Array | undefined {
  return findAll(segments, marker, label)[0];
}

function findAll(segments: readonly Uint8Array[], marker: number, label: string): Uint8Array[] {
  const isIt = (segment: Uint8Array) =>
    segment[1] === marker && shortLatin1(segment, { start: 4, end: 4 + label.length }) === label;
  return segments.filter(isIt).map((segment) => segment.subarray(4 + label.length));
}

function readProfile(segments: readonly Uint8Array[]): Uint8Array | undefined {
  const parts = findAll(segments, PROFILE, LABELS.profile).filter(({ length }) => length > NUMBERS_BYTES);
  if (parts.length === 0 || parts.some(([, count]) => count !== parts.length)) return undefined;
  const ordered = parts.toSorted(([a = 0], [b = 0]) => a - b);
  return joinBytes(ordered.map((part) => part.subarray(NUMBERS_BYTES)));
}

const [PER_INCH, PER_CENTIMETER] = [1, 2];

/** The density in JFIF (ISO/IEC 10918-5, 10.1), if it has a unit. */
function readDensity(segments: readonly Uint8Array[]): Resolution | undefined {
  const data = find(segments, JFIF, LABELS.jfif);
  if (!data || data.length < 7) return undefined;
  const view = viewOf(data);
  const unit = view.getUint8(2);
  if (unit !== PER_INCH && unit !== PER_CENTIMETER) return undefined;
  return resolutionOf({ x: view.getUint16(3), y: view.getUint16(5) }, unit === PER_CENTIMETER);
}
