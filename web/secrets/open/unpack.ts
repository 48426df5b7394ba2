import { readBundle } from "../../../tools/bundle/read-bundle.ts";
import { cleanFileName } from "../../../tools/file/file-name.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { typeOfName } from "../../files/file-names.ts";

/** Several things that came as one file. */
export interface Unpacked {
  readonly message: string | undefined;
  readonly files: readonly File[];
}

/** What is in a bundle (docs/formats.md, 8), checked to its end; nothing where it is another file or a damaged one. */
export async function unpackIfBundle(bundle: File): Promise<Unpacked | undefined> {
  try {
    return await unpack(bundle);
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

async function unpack(bundle: File): Promise<Unpacked> {
  let message: string | undefined;
  const files: File[] = [];
  for await (const part of readBundle(bundle.stream())) {
    if (part.is === "message") message = part.text;
    else files.push(fileOf([bundle.slice(part.start, part.start + part.size)], part.name));
  }
  return { message, files };
}

/** A file with a name that is safe. Its type comes from it: what a sender says could be a page that runs. */
export function fileOf(parts: readonly BlobPart[], name: string): File {
  const cleaned = cleanFileName(name, { fallback: "secret.bin" });
  return new File([...parts], cleaned, { type: typeOfName(cleaned) });
}
