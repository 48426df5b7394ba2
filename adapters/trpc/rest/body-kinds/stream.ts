import { MULTIPART } from "../../body/multipart.ts";
import type { RawInput } from "../raw-input.ts";
import type { BodyKind, Call } from "./body-kind.ts";
import { addFile, addForm, file, fileLimit, readOptions } from "./file.ts";

/** A file that may still be arriving while the tool works, and may be empty. */
export const stream: BodyKind = { ...file, read: readStream };

async function readStream(call: Call): Promise<RawInput> {
  const { context } = call;
  const rawInput = readOptions(call);
  if (context.mediaType === MULTIPART) await addForm(rawInput, call);
  else addFile(rawInput, context.body.chunks(fileLimit(call)));
  return rawInput;
}
