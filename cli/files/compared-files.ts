import { isSameData, type Bytes } from "../../wire/bytes.ts";
import { showName } from "../../wire/escaped-name.ts";
import { warn, type Io } from "../terminal/io.ts";
import { checkInputs, inputName, readInput, decodeLatin1, decodeText, type DecodedText } from "./input.ts";

/** A file that is compared; `decoded` is undefined where it is binary. */
interface ComparedFile {
  readonly path: string;
  readonly bytes: Bytes;
  readonly decoded: DecodedText | undefined;
}

/** Two files, and their texts where both are texts. */
export interface ComparedFiles {
  readonly isSame: boolean;
  readonly texts: { readonly a: string; readonly b: string } | undefined;
  /** Whether the characters of the texts are the bytes of the files: of a patch, which has to fit these. */
  readonly isBytes: boolean;
}

/**
 * Reads two files, and tells on standard error which of them is not UTF-8.
 * @throws CliError usage where one cannot be read
 */
export async function readComparedFiles(
  io: Io,
  { a, b, isPatch }: { a: string; b: string; isPatch: boolean },
): Promise<ComparedFiles> {
  checkInputs([a, b]);
  const files = { a: await readComparedFile(io, a), b: await readComparedFile(io, b) };
  const compared = compareAs(files, isPatch);
  const isRecoded = isPatch && !compared.isBytes;
  if (compared.texts)
    await warn(
      io,
      [files.a, files.b].flatMap((file) => encodingNote(file, isRecoded)),
    );
  return compared;
}

export function binaryNote(a: string, b: string): string {
  return `Binary files ${showName(a)} and ${showName(b)} differ\n`;
}

async function readComparedFile(io: Io, path: string): Promise<ComparedFile> {
  const bytes = await readInput(io, path);
  return { path, bytes, decoded: await decodeText(bytes) };
}

function compareAs({ a, b }: { a: ComparedFile; b: ComparedFile }, isPatch: boolean): ComparedFiles {
  const isSame = isSameData(a.bytes, b.bytes);
  if (!a.decoded || !b.decoded) return { isSame, texts: undefined, isBytes: false };
  const encodings = [a.decoded.encoding, b.decoded.encoding];
  const isBytes = isPatch && encodings.includes("Latin-1") && !encodings.some(isUtf16);
  const texts = isBytes
    ? { a: decodeLatin1(a.bytes), b: decodeLatin1(b.bytes) }
    : { a: a.decoded.text, b: b.decoded.text };
  return { isSame, texts, isBytes };
}

function isUtf16(encoding: string): boolean {
  return encoding.startsWith("UTF-16");
}

function encodingNote({ path, decoded }: ComparedFile, isRecoded: boolean): string[] {
  if (!decoded || decoded.encoding === "UTF-8") return [];
  const patch = isRecoded ? "; the patch is in UTF-8" : "";
  return [`${inputName(path)}: read as ${decoded.encoding}${patch}.`];
}
