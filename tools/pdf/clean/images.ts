import type { Bytes } from "../../../wire/bytes.ts";
import { decodeStream, filterSteps } from "../filters/filters.ts";
import { rawStreamData, resolve } from "../model/document.ts";
import { without } from "../prune/entries.ts";
import type { Stream } from "../syntax/values.ts";
import type { Cleaning } from "./cleaning.ts";
import { withoutJpegMetadata, withoutJpxMetadata } from "./image-metadata.ts";

/** The filters whose data is a file of its own, with what cameras and programs have written into it. */
const FILES: Readonly<Record<string, (image: Bytes) => Bytes>> = {
  DCTDecode: withoutJpegMetadata,
  DCT: withoutJpegMetadata,
  JPXDecode: withoutJpxMetadata,
};

/** An image without the metadata inside it; its pixels stay to the byte. */
export function cleanImage({ pdf, found }: Cleaning, stream: Stream): Stream {
  const steps = filterSteps(stream.dict, (value) => resolve(pdf, value));
  const last = steps.at(-1)?.name ?? "";
  const strip = Object.hasOwn(FILES, last) ? FILES[last] : undefined;
  if (!strip) return stream;
  const stored = rawStreamData(stream);
  const before = steps.slice(0, -1);
  // The decoded bytes are on a buffer of their own, or are the stored ones.
  const image =
    before.length > 0 ? (decodeStream(stored, { steps: before, budget: pdf.budget }).bytes as Bytes) : stored;
  const stripped = strip(image);
  if (stripped === image) return stream;
  found.add("metadata");
  const parameters = steps.at(-1)?.parameters;
  const dict = new Map([...without(stream.dict, ["Filter", "DecodeParms"]), ["Filter", last]]);
  if (parameters) dict.set("DecodeParms", parameters);
  return { ...stream, dict, data: stripped, decryptor: undefined };
}
