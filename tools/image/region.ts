import { ToolFailure } from "../../wire/tool-failure.ts";
import type { ImageHeader } from "./header.ts";
import type { Size } from "./pixels.ts";

/** How far a picture is turned clockwise, in degrees. */
export const ROTATIONS = [90, 180, 270, -90] as const;

export type Rotation = (typeof ROTATIONS)[number];

/** The form of a crop: `x,y,width,height`. */
export const CROP = /^\d{1,5},\d{1,5},\d{1,5},\d{1,5}$/;

/** A part of a picture, in pixels from its upper left corner. */
export interface Region extends Size {
  readonly left: number;
  readonly top: number;
}

/** The visible part of an image: upright, turned and cropped as wanted. */
export interface View extends Size {
  readonly rotate: 0 | 90 | 180 | 270;
  readonly crop: Region | null;
}

/**
 * Decides which part of an image is visible. The crop is in pixels of the upright and turned picture.
 * @throws ToolFailure invalid_parameter where the crop is not four numbers, or not inside the picture
 */
export function planView(
  source: ImageHeader,
  { rotate, crop }: { rotate?: Rotation | undefined; crop?: string | undefined },
): View {
  const turned = rotate === -90 ? 270 : (rotate ?? 0);
  const isTurned = (source.isSideways ?? false) !== (turned === 90 || turned === 270);
  const [width, height] = isTurned ? [source.height, source.width] : [source.width, source.height];
  if (crop === undefined) return { rotate: turned, crop: null, width, height };
  const region = readCrop(crop);
  const fits = region.left + region.width <= width && region.top + region.height <= height;
  if (fits) return { rotate: turned, crop: region, width: region.width, height: region.height };
  const message = `Parameter "crop" is ${crop}, which does not lie in the picture of ${width} x ${height} pixels`;
  throw new ToolFailure("invalid_parameter", message, { parameter: "crop", received: crop });
}

/** @throws ToolFailure invalid_parameter */
export function readCrop(text: string): Region {
  const [left = 0, top = 0, width = 0, height = 0] = CROP.test(text) ? text.split(",").map(Number) : [];
  if (width > 0 && height > 0) return { left, top, width, height };
  const message =
    'Parameter "crop" must be x,y,width,height in whole pixels, such as 0,0,400,300, with a width and a height of at least 1';
  throw new ToolFailure("invalid_parameter", message, { parameter: "crop" });
}
