import { Stanza, type Identity, type Recipient } from "age-encryption";
import { decodeBase64, encodeBase64 } from "../../wire/base64.ts";
import { concatBytes, utf8, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { systemRandom } from "../crypto/base62.ts";
import type { Limiter } from "../crypto/key-derivation.ts";
import { damaged } from "./header.ts";
import { FILE_KEY_BYTES, open, seal, TAG_BYTES } from "./payload.ts";

// The recipient for a passphrase (C2SP age, "The scrypt recipient type"). Replaces the library's: WebAssembly takes
// half the time, and the cost in a file is checked first.
const KIND = "scrypt";
const LABEL = "age-encryption.org/v1/scrypt";
const SALT_BYTES = 16;
const NO_NONCE = new Uint8Array(12);
/** log2 of the cost that the age program uses: 256 MiB and most of a second. */
const WORK_FACTOR = 18;
/** 1 GiB; a file that asks for more is refused before anything is derived. */
const MAX_WORK_FACTOR = 20;

interface PassphraseOptions {
  readonly password: string;
  readonly limiter: Limiter | undefined;
}

/** Encrypts a file's key with a passphrase. */
export function passphraseRecipient(options: PassphraseOptions): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = systemRandom(new Uint8Array(SALT_BYTES));
      const key = await derive(options, { salt, workFactor: WORK_FACTOR });
      const body = seal(new Uint8Array(fileKey), { key, nonce: NO_NONCE });
      return [new Stanza([KIND, writeSalt(salt), String(WORK_FACTOR)], body)];
    },
  };
}

/** Decrypts a file's key with a passphrase. */
export function passphraseIdentity(
  options: PassphraseOptions & { maxWorkFactor?: number | undefined },
): Identity {
  return {
    async unwrapFileKey([stanza, ...more]) {
      if (!stanza || more.length > 0) throw damaged("it has recipients beside its passphrase");
      const settings = readArguments(stanza.args, options.maxWorkFactor ?? MAX_WORK_FACTOR);
      if (stanza.body.length !== FILE_KEY_BYTES + TAG_BYTES)
        throw damaged("the stanza of its passphrase is malformed");
      const key = await derive(options, settings);
      return open(new Uint8Array(stanza.body), { key, nonce: NO_NONCE }) ?? null;
    },
  };
}

/** Whether the header of a file says that it was encrypted with a passphrase. */
export function isForPassphrase(stanzas: readonly (readonly string[])[]): boolean {
  return stanzas.some(([kind]) => kind === KIND);
}

interface Settings {
  readonly salt: Bytes;
  /** log2 of N. */
  readonly workFactor: number;
}

function readArguments(args: readonly string[], maximum: number): Settings {
  const [, text = "", workFactor = ""] = args;
  const salt = /^[A-Za-z0-9+/]{22}$/.test(text) ? decodeBase64(text) : new Uint8Array(0);
  if (args.length !== 3 || writeSalt(salt) !== text || !/^[1-9][0-9]{0,2}$/.test(workFactor))
    throw damaged("the stanza of its passphrase is malformed");
  if (Number(workFactor) <= maximum) return { salt, workFactor: Number(workFactor) };
  const message = `The passphrase of the age file has the work factor ${workFactor}; it may be up to ${maximum} here`;
  throw new ToolFailure("too_complex", message, { limit: "workFactor", value: maximum, unit: "log2" });
}

function writeSalt(salt: Bytes): string {
  return encodeBase64(salt).replaceAll("=", "");
}

function derive(
  { password, limiter = (work) => work() }: PassphraseOptions,
  { salt, workFactor }: Settings,
): Promise<Bytes> {
  return limiter(async () => {
    // As it was typed, because other programs do not normalize it.
    const input = { password: utf8(password), salt: concatBytes(utf8(LABEL), salt) };
    const cost = { costFactor: 2 ** workFactor, blockSize: 8, parallelism: 1, hashLength: 32 };
    // Not needed with keys.
    const { scrypt } = await import("./scrypt-wasm.ts");
    return new Uint8Array(await scrypt({ ...input, ...cost, outputType: "binary" }));
  });
}
