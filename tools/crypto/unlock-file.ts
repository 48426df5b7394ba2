import { AGE_HEAD_BYTES, isAge, isArmored, openedName } from "../age/age-file.ts";
import type { UnlockAgeOptions } from "../age/unlock-age.ts";
import type { FileInput } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { collectBytes, partsOf, peek, sourceOf, type ByteSource } from "./chunks.ts";
import { openedSize, unlockContainer, type OpenedContainer } from "./unlock-container.ts";

/** What is known of a file that was opened. */
interface FileFacts {
  readonly format: "locked" | "age";
  readonly filename: string;
  /** Rounds of PBKDF2, and the version of our own container; an age file has neither. */
  readonly iterations?: number;
  readonly containerVersion?: number;
}

export interface UnlockedFile extends FileFacts {
  readonly bytes: Bytes;
}

export interface UnlockFileOptions extends UnlockAgeOptions {
  /** What the result is called where no name is kept inside: the name of the age file, whose `.age` goes. */
  readonly filename?: string | undefined;
  /** The length of the container in bytes, where it is known before its last piece: memory is taken only once then. */
  readonly sizeBytes?: number | undefined;
}

/**
 * Opens a locked file (docs/formats.md, 4) or an age file, also an armored one. Gives nothing before the last chunk has
 * verified.
 * @throws ToolFailure missing_parameter, invalid_parameter, not_a_container, unsupported_feature, password_required,
 * password_wrong, identity_required, identity_wrong, damaged_file, too_complex
 */
export async function unlockFile(file: FileInput, options: UnlockFileOptions): Promise<UnlockedFile> {
  const source = sourceOf(file);
  const { pieces, ...about } = await unlockToPieces(source, options);
  const lockedBytes = source instanceof Uint8Array ? source.length : options.sizeBytes;
  const bytes = await collectBytes(pieces, lockedBytes === undefined ? undefined : openedSize(lockedBytes));
  return { bytes, ...about };
}

/**
 * unlockFile, for whoever writes the pieces where nobody else sees them yet, and drops them all where one fails to
 * verify: each is genuine, but a file that was cut shows that only at its end. With `pieces` the source is let go.
 */
export async function unlockToPieces(
  source: ByteSource,
  options: Omit<UnlockFileOptions, "sizeBytes">,
): Promise<FileFacts & Pick<OpenedContainer, "pieces">> {
  const { head, whole } = await peek(source, AGE_HEAD_BYTES);
  const isText = isArmored(head);
  if (!isText && !isAge(head)) return { format: "locked", ...(await unlockContainer(whole, options)) };
  // Only who has an age file loads what it takes.
  const { unlockAgeToPieces } = await import("../age/unlock-age.ts");
  const { readArmor } = await import("../age/armor.ts");
  const pieces = await unlockAgeToPieces(isText ? readArmor(partsOf(whole)) : whole, options);
  return { format: "age", filename: openedName(options.filename), pieces };
}
