import type { Bytes } from "../../wire/bytes.ts";
import { composeGif, hasFreeScreen } from "./gif-frames.ts";
import type { ImageHeader } from "./header.ts";
import type { Animation, Pixels } from "./pixels.ts";
import { turnUpright } from "./pixels.ts";
import { composeApng } from "./png/apng.ts";
import { webpAnimation } from "./readers/webp.ts";

type Format = Pick<ImageHeader, "format">;

/** Whether engines show the frames of an animation otherwise than they are meant, or only the first of them. */
export function needsComposing(image: Bytes, { format }: Format): boolean {
  if (format === "gif") return hasFreeScreen(image);
  return format === "png" || (format === "webp" && webpAnimation(image).orientation > 1);
}

/**
 * Such frames as viewers show them, upright. `decode` gets a still image, or an animation of which it keeps the frames,
 * one below the other.
 * @throws ToolFailure damaged_file, too_complex
 */
export async function composeFrames(
  image: Bytes,
  { format }: Format,
  decode: (image: Bytes, which: { keepsFrames: boolean }) => Promise<Pixels | undefined>,
): Promise<Animation | undefined> {
  if (format === "png") return composeApng(image, (png) => decode(png, { keepsFrames: false }));
  if (format === "gif") return composeGif(image);
  const pixels = await decode(image, { keepsFrames: true });
  const { orientation, delaysMs, plays } = webpAnimation(image);
  if (!pixels) return undefined;
  const height = pixels.data.length / (pixels.width * pixels.channels * delaysMs.length);
  return turnUpright({ ...pixels, height, delaysMs, plays }, orientation);
}
