import { IMAGE_PIXELS } from "../../wire/limits.ts";
import { mayBeMember } from "../api/limits.ts";

/** Frames times pixels that the person at this browser may have decoded, here as on the server. */
export function allowedPixels(): number {
  return mayBeMember() ? IMAGE_PIXELS.member : IMAGE_PIXELS.anonymous;
}
