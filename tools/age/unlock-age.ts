import { Decrypter, type Identity } from "age-encryption";
import { joinBytes, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { prepend, type ByteSource } from "../crypto/chunks.ts";
import type { Limiter } from "../crypto/key-derivation.ts";
import { checkPassword } from "../crypto/locked-file.ts";
import { damaged, readAgeHeader } from "./header.ts";
import { type Keys, readIdentities } from "./keys.ts";
import { NONCE_BYTES, openPayload } from "./payload.ts";
import { isForPassphrase, passphraseIdentity } from "./scrypt.ts";

/** How many keys are tried on recipients: each takes a fraction of a millisecond, X25519 with Web Crypto. */
const MAX_TRIES = 10_000;
/** The library's error where no identity fits. */
const NO_MATCH = "no identity matched any of the file's recipients";

export interface UnlockAgeOptions {
  readonly password?: string | undefined;
  /** Secret keys, in a list or one per line, as in a file of the age program: `AGE-SECRET-KEY-1…`. */
  readonly identities?: Keys | undefined;
  /** log2 of the most that a passphrase may cost: 20, for 1 GiB of memory. */
  readonly maxWorkFactor?: number | undefined;
  readonly limiter?: Limiter | undefined;
}

/**
 * Opens an age file (C2SP age v1) without armor. Each piece is genuine, but a file that was cut shows that only at its
 * end: drop all pieces where one fails to verify.
 * @throws ToolFailure password_required, password_wrong, identity_required, identity_wrong, invalid_parameter,
 * unsupported_feature, damaged_file, too_complex
 */
export async function unlockAgeToPieces(
  source: ByteSource,
  { isOwned = true, ...options }: UnlockAgeOptions & { isOwned?: boolean | undefined },
): Promise<AsyncGenerator<Bytes, void>> {
  const header = await readAgeHeader(source);
  try {
    const identities = chooseIdentities(header.stanzas, options);
    const fileKey = await unwrapFileKey(header.bytes, identities);
    const { nonce, rest } = await takeNonce(header.rest);
    return openPayload(rest, { fileKey, nonce, isOwned });
  } catch (error) {
    await header.rest.return();
    throw error;
  }
}

function chooseIdentities(
  stanzas: readonly (readonly string[])[],
  { password, identities, maxWorkFactor, limiter }: UnlockAgeOptions,
): readonly (string | Identity)[] {
  if (isForPassphrase(stanzas)) {
    if (!password)
      throw failure("password_required", "The age file is encrypted with a passphrase, which is missing");
    return [passphraseIdentity({ password: checkPassword(password), maxWorkFactor, limiter })];
  }
  if (identities === undefined || [identities].flat().join("").trim() === "")
    throw failure("identity_required", NEEDS_IDENTITY);
  const keys = readIdentities(identities, "identities");
  if (keys.length * stanzas.length <= MAX_TRIES) return keys;
  const message = `The age file has ${stanzas.length} recipients, too many to try ${keys.length} identities on`;
  throw new ToolFailure("too_complex", message, { limit: "tries", value: MAX_TRIES, unit: "tries" });
}

const NEEDS_IDENTITY =
  'The age file is encrypted for recipients: it opens with an identity of one of them in "identities", AGE-SECRET-KEY-1…';

async function unwrapFileKey(header: Bytes, identities: readonly (string | Identity)[]): Promise<Bytes> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return new Uint8Array(await decrypter.decryptHeader(header));
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    if (!(error instanceof Error) || error.message !== NO_MATCH) throw damaged("its header was changed");
  }
  if (typeof identities[0] !== "string")
    throw failure("password_wrong", "The passphrase does not open this age file");
  throw failure("identity_wrong", "None of the identities opens this age file: it was encrypted for others");
}

function failure(
  code: "password_required" | "password_wrong" | "identity_required" | "identity_wrong",
  message: string,
) {
  const isPassword = code.startsWith("password");
  const fields = isPassword ? { passwordNeeded: true } : { parameter: "identities" };
  return new ToolFailure(code, message, fields);
}

async function takeNonce(rest: AsyncGenerator<Bytes, void>) {
  let held: Bytes = new Uint8Array(0);
  while (held.length < NONCE_BYTES) {
    const { value } = await rest.next();
    if (!value) throw damaged("it ends before its content");
    held = joinBytes([held, value]);
  }
  const after = held.slice(NONCE_BYTES);
  return { nonce: held.slice(0, NONCE_BYTES), rest: prepend(after, rest) };
}
