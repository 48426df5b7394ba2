import type { Bytes } from "../../wire/bytes.ts";
import { composeGif, hasFreeScreen } from "./gif-frames.ts";
import type { ImageHeader } from "./header.ts";
import type { Animation, Pixels } from "./pixels.ts";
import { composeApng } from "./png/apng.ts";

type Format = Pick<ImageHeader, "format">;

/** Whether engines show the frames of an animation otherwise than they are meant. */
export function needsComposing(image: Bytes, { format }: Format): boolean {
  if (format === "gif") return hasFreeScreen(image);
  return format === "png";
}

/**
 * Such frames as viewers show them. `decode` gets a still image.
 * @throws ToolFailure damaged_file, too_complex
 */
export async function composeFrames(
  image: Bytes,
  { format }: Format,
  decode: (image: Bytes, which: { keepsFrames: false }) => Promise<Pixels | undefined>,
): Promise<Animation | undefined> {
  if (format === "png") return composeApng(image, (png) => decode(png, { keepsFrames: false }));
  return composeGif(image);
}
