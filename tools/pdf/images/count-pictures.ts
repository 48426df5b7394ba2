import { readImageHeader } from "../../image/header.ts";
import { tiffPages } from "../../image/tiff/pages.ts";
import type { Bytes } from "../../../wire/bytes.ts";

/**
 * How many pages an image becomes where animations are of their first frame, as in browsers.
 * @throws ToolFailure wrong_file_type, damaged_file, unsupported_feature, too_complex
 */
export function countPictures(image: Bytes): number {
  const { format } = readImageHeader(image);
  return format === "tiff" ? [...tiffPages(image)].length : 1;
}
