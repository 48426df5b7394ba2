import { basename, dirname, extname, join } from "node:path";
import { STANDARD } from "./input.ts";

/** The name of a result without -o: beside the input, `scan.pdf` with "-rotated" is `scan-rotated.pdf`. */
export function besideInput(
  input: string,
  { suffix = "", extension }: { suffix?: string; extension: string },
) {
  if (input === STANDARD) return STANDARD;
  const stem = basename(input, extname(input));
  return join(dirname(input), `${stem}${suffix}.${extension}`);
}
