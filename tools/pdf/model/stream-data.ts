import type { Bytes } from "../../../wire/bytes.ts";
import { decodeStream, filterSteps, type Step } from "../filters/filters.ts";
import type { Stream } from "../syntax/values.ts";
import { type Pdf, rawStreamData, resolve } from "./document.ts";

/** The filters of a stream, in the order they are undone. */
export function stepsOf(pdf: Pdf, { dict }: Pick<Stream, "dict">): Step[] {
  return filterSteps(dict, (value) => resolve(pdf, value));
}

/**
 * The data of a stream without its filters, as far as it goes.
 * @throws ToolFailure unsupported_feature for image filters, too_complex for too many filters or bytes
 */
export function decodedStream(pdf: Pdf, stream: Stream): { bytes: Bytes; isComplete: boolean } {
  const { bytes, isComplete } = decodeStream(rawStreamData(stream), stepsOf(pdf, stream), pdf.budget);
  // Nothing here is on shared memory.
  return { bytes: bytes as Bytes, isComplete };
}
