import { ToolFailure } from "../../../wire/tool-failure.ts";
import { decodeStream, filterSteps } from "../filters/filters.ts";
import { latin1 } from "../syntax/lexer.ts";
import { isStream, type Stream, type Value } from "../syntax/values.ts";
import { type Pdf, rawStreamData, resolve } from "./document.ts";

/** Standards that metadata claims by a number of their own: the prefix of the XMP property, and the name. */
const STANDARDS = [
  ["pdfaid", "PDF/A"],
  ["pdfuaid", "PDF/UA"],
] as const;

/** The standards that the XMP metadata of a document claims, such as "PDF/A-1"; they are not checked. */
export function claimedStandards(pdf: Pdf, metadata: Value | undefined): string[] {
  const stream = resolve(pdf, metadata);
  const text = isStream(stream) ? readText(pdf, stream) : "";
  return STANDARDS.flatMap(([prefix, name]) => {
    const part = new RegExp(`${prefix}:part(?:\\s*=\\s*["']|>)\\s*([0-9]+)`).exec(text)?.[1];
    return part === undefined ? [] : [`${name}-${part}`];
  });
}

/** One character per byte; of UTF-16 the letters of XMP's own names are left. */
function readText(pdf: Pdf, stream: Stream): string {
  try {
    const steps = filterSteps(stream.dict, (value) => resolve(pdf, value));
    const { bytes } = decodeStream(rawStreamData(stream), { steps, budget: pdf.budget });
    return latin1(bytes.filter((code) => code !== 0));
  } catch (error) {
    if (error instanceof ToolFailure && error.code === "unsupported_feature") return "";
    throw error;
  }
}
