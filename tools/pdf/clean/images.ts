import type { Bytes } from "../../../wire/bytes.ts";
import { dropJpegMetadata } from "../../image/jpeg-metadata.ts";
import { decodeStream, filterSteps } from "../filters/filters.ts";
import type { Budget } from "../limits.ts";
import { rawStreamData, resolve } from "../model/document.ts";
import { without } from "../prune/entries.ts";
import type { Dict, Stream, Value } from "../syntax/values.ts";
import type { CleanedDocument } from "./cleaned-document.ts";
import { withoutJpxMetadata } from "./jpx-metadata.ts";

/** The filters whose data is a file of its own, with what cameras and programs have written into it. */
const FILES: Readonly<Record<string, (image: Bytes) => Bytes>> = {
  DCTDecode: dropJpegMetadata,
  DCT: dropJpegMetadata,
  JPXDecode: withoutJpxMetadata,
};

/** An image without the metadata inside it; its pixels stay to the byte. */
export function cleanImage({ pdf, found }: CleanedDocument, stream: Stream): Stream {
  const find = (value: Value | undefined) => resolve(pdf, value);
  const cleaned = cleanImageData(stream.dict, {
    stored: () => rawStreamData(stream),
    budget: pdf.budget,
    find,
  });
  if (!cleaned) return stream;
  found.add("metadata");
  const { filter, parameters, data } = cleaned;
  const dict = new Map([...without(stream.dict, ["Filter", "DecodeParms"]), ["Filter", filter]]);
  if (parameters) dict.set("DecodeParms", parameters);
  return { ...stream, dict, data, decryptor: undefined };
}

interface ImageData {
  readonly filter: string;
  readonly parameters: Dict | undefined;
  readonly data: Bytes;
}

/** The data of an image without metadata, and its one filter; undefined where nothing changes. */
export function cleanImageData(
  dict: Dict,
  { stored, budget, find }: { stored: () => Bytes; budget: Budget; find: Parameters<typeof filterSteps>[1] },
): ImageData | undefined {
  const steps = filterSteps(dict, find);
  const last = steps.at(-1);
  const strip = last && Object.hasOwn(FILES, last.name) ? FILES[last.name] : undefined;
  if (!last || !strip) return undefined;
  const before = steps.slice(0, -1);
  // The decoded bytes are on a buffer of their own, or are the stored ones.
  const image =
    before.length > 0 ? (decodeStream(stored(), { steps: before, budget }).bytes as Bytes) : stored();
  const data = strip(image);
  return data === image ? undefined : { filter: last.name, parameters: last.parameters, data };
}
