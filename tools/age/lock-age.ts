import { Encrypter, type Recipient } from "age-encryption";
import { joinBytes, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { systemRandom } from "../crypto/base62.ts";
import { collectBytes, sourceOf, type ByteSource } from "../crypto/chunks.ts";
import {
  CALLBACK,
  checkSource,
  FLAG,
  type OptionKinds,
  readOptions,
  TEXT,
  TEXTS,
} from "../file/arguments.ts";
import { readAll, type FileInput } from "../../wire/byte-pieces.ts";
import type { Limiter } from "../crypto/key-derivation.ts";
import { checkPassword } from "../crypto/locked-file.ts";
import { writeArmor } from "./armor.ts";
import { type Keys, readRecipients } from "./keys.ts";
import { NONCE_BYTES, sealedBytes, sealPayload } from "./payload.ts";
import { passphraseRecipient } from "./scrypt.ts";

export interface LockAgeOptions {
  /** A passphrase, where no recipients are given. */
  readonly password?: string | undefined;
  /** Public keys, in a list or one per line: `age1…`. */
  readonly recipients?: Keys | undefined;
  /** As text, for a mail or a message. */
  readonly armor?: boolean | undefined;
  /**
   * Whether nobody else uses the pieces of the source: then each is freed at once, instead of waiting for a garbage
   * collector.
   */
  readonly isOwned?: boolean | undefined;
  readonly limiter?: Limiter | undefined;
}

const OPTIONS: OptionKinds<LockAgeOptions> = {
  password: TEXT,
  recipients: TEXTS,
  armor: FLAG,
  isOwned: FLAG,
  limiter: CALLBACK,
};

/**
 * Encrypts a file in the format of age (C2SP age v1), for recipients or with a passphrase, piece by piece. Wrong
 * options throw at once.
 * @throws ToolFailure missing_parameter, invalid_parameter
 */
export function lockAgeFile(file: FileInput, given: LockAgeOptions): AsyncGenerator<Bytes, void> {
  checkSource(file);
  const options = readOptions(given, OPTIONS);
  const source = sourceOf(file);
  const recipients = chooseRecipients(options);
  const pieces = sealFor(recipients, source, options.isOwned ?? false);
  return options.armor ? writeArmor(pieces) : pieces;
}

/** lockAgeFile, for a whole file in memory. */
export async function lockAge(
  file: Bytes,
  options: Omit<LockAgeOptions, "limiter" | "isOwned">,
): Promise<{ readonly bytes: Bytes }> {
  return { bytes: await collectBytes(lockAgeFile(file, options), agePayloadSize(file.length)) };
}

/** The length of an age file without its header and without armor, in bytes, for a content of `contentBytes`. */
export function agePayloadSize(contentBytes: number): number {
  return NONCE_BYTES + sealedBytes(contentBytes);
}

function chooseRecipients({
  password,
  recipients,
  limiter,
}: LockAgeOptions): readonly (string | Recipient)[] {
  if (recipients === undefined && !password) {
    const message = '"recipients" or "password" is missing: an age file is for keys, or for a passphrase';
    throw new ToolFailure("missing_parameter", message, { parameter: "recipients" });
  }
  if (recipients === undefined) return [passphraseRecipient({ password: checkPassword(password), limiter })];
  if (!password) return readRecipients(recipients, "recipients");
  const message = '"password" and "recipients" are given; an age file has either';
  throw new ToolFailure("invalid_parameter", message, { parameter: "password" });
}

async function* sealFor(
  recipients: readonly (string | Recipient)[],
  source: ByteSource,
  isOwned: boolean,
): AsyncGenerator<Bytes, void> {
  const { header, fileKey } = await makeHeader(recipients);
  const nonce = systemRandom(new Uint8Array(NONCE_BYTES));
  yield joinBytes([header, nonce]);
  yield* sealPayload(source, { fileKey, nonce, isOwned });
}

// The library encrypts content four to eight times as slowly as the runtime. So it makes a file without content, whose
// header is used; a recipient that adds nothing to the header receives the file's key.
async function makeHeader(recipients: readonly (string | Recipient)[]) {
  const encrypter = new Encrypter();
  let fileKey: Bytes = new Uint8Array(0);
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = new Uint8Array(key);
      return [];
    },
  });
  // Of bytes it would read its own stream with a Response, for which Node loads all of its HTTP client.
  const content = new ReadableStream<Bytes>({ start: (controller) => controller.close() });
  const pieces: Uint8Array[] = [];
  for await (const piece of readAll(await encrypter.encrypt(content))) pieces.push(piece);
  const empty = joinBytes(pieces);
  return { header: empty.subarray(0, empty.length - agePayloadSize(0)), fileKey };
}
