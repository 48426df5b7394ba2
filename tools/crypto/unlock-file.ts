import { AGE_HEAD_BYTES, isAge, isArmored, openedName } from "../age/age-file.ts";
import type { UnlockAgeOptions } from "../age/unlock-age.ts";
import {
  CALLBACK,
  checkSource,
  NUMBER,
  type OptionKinds,
  readOptions,
  TEXT,
  TEXTS,
} from "../file/arguments.ts";
import type { FileInput } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { collectBytes, partsOf, peek, sourceOf, type ByteSource } from "./chunks.ts";
import { openedSize, unlockContainer, type OpenedContainer } from "./unlock-container.ts";

/** What is known about a file that was opened. */
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
  /** The name for a result without one inside: that of the age file, without its `.age`. */
  readonly filename?: string | undefined;
  /** The length of the container in bytes, where it is known before its last piece: then memory is taken only once. */
  readonly sizeBytes?: number | undefined;
}

const OPTIONS: OptionKinds<UnlockFileOptions> = {
  password: TEXT,
  identities: TEXTS,
  maxWorkFactor: NUMBER,
  filename: TEXT,
  sizeBytes: NUMBER,
  limiter: CALLBACK,
};

/**
 * Opens a locked file (docs/formats.md, 4) or an age file, armored ones too. Returns nothing before the last chunk is
 * verified.
 * @throws ToolFailure missing_parameter, invalid_parameter, not_a_container, unsupported_feature, password_required,
 * password_wrong, identity_required, identity_wrong, damaged_file, too_complex
 */
export async function unlockFile(file: FileInput, given: UnlockFileOptions): Promise<UnlockedFile> {
  checkSource(file);
  const options = readOptions(given, OPTIONS);
  const source = sourceOf(file);
  const { pieces, ...about } = await unlockToPieces(source, options);
  const lockedBytes = source instanceof Uint8Array ? source.length : options.sizeBytes;
  const bytes = await collectBytes(pieces, lockedBytes === undefined ? undefined : openedSize(lockedBytes));
  return { bytes, ...about };
}

/**
 * unlockFile for callers that write the pieces where nobody sees them yet, and drop them all where one fails to verify:
 * each is genuine, but a file that was cut shows that only at its end. With `pieces` the source is freed.
 */
export async function unlockToPieces(
  source: ByteSource,
  options: Omit<UnlockFileOptions, "sizeBytes"> & { readonly isOwned?: boolean | undefined },
): Promise<FileFacts & Pick<OpenedContainer, "pieces">> {
  const { head, whole } = await peek(source, AGE_HEAD_BYTES);
  const isText = isArmored(head);
  if (!isText && !isAge(head)) return { format: "locked", ...(await unlockContainer(whole, options)) };
  // Loaded only for an age file.
  const { unlockAgeToPieces } = await import("../age/unlock-age.ts");
  const { readArmor } = await import("../age/armor.ts");
  const pieces = await unlockAgeToPieces(isText ? readArmor(partsOf(whole)) : whole, options);
  return { format: "age", filename: openedName(options.filename), pieces };
}
