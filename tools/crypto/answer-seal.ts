import { concatBytes, utf8, type Bytes } from "../../wire/bytes.ts";
import { decryptGcm, encryptGcm } from "./aes-gcm.ts";
import { systemRandom } from "./base62.ts";
import { hkdfFrom, hkdfSha256 } from "./key-derivation.ts";

const LABEL = "service-idempotency/v1";
const VERSION = 1;
const IV_BYTES = 12;

/** The input of a call: its fields by name. */
export type CallFields = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The 32 bytes under which the answer to a call with this idempotency key is stored (docs/formats.md, 9): the same key
 * of another caller, or for another procedure, is a different one.
 */
export function digestIdempotencyKey(
  key: string,
  { caller, procedure }: { caller: string; procedure: string },
): Bytes {
  return hkdfSha256(utf8(key), { salt: caller, info: `${LABEL} key ${procedure}`, length: 32 });
}

/**
 * Derives what encrypts the answer to a call with this key and these fields. It needs the fields besides the key: somebody
 * who has the database and guesses a weak key would still have to know the whole content of the secret.
 */
export function deriveAnswerSeal(
  key: string,
  { caller, fields }: { caller: string; fields: CallFields },
): {
  /** 32 bytes, the same for the same key and fields. */
  readonly bodyHash: Bytes;
  readonly seal: (answer: object, options?: { iv?: Bytes }) => Promise<Bytes>;
  /** @throws Error when the blob was damaged, or belongs to another call */
  readonly open: (blob: Bytes) => Promise<unknown>;
} {
  // A key contains no line break, so the two parts are unambiguous.
  const derive = hkdfFrom(utf8(`${key}\n${writeFields(fields)}`), caller);
  const sealKey = derive(`${LABEL} answer`, 32);
  const additionalData = utf8(LABEL);
  return {
    bodyHash: derive(`${LABEL} body`, 32),
    async seal(answer, { iv = systemRandom(new Uint8Array(IV_BYTES)) } = {}) {
      const sealed = await encryptGcm(utf8(JSON.stringify(answer)), { key: sealKey, iv, additionalData });
      return concatBytes(Uint8Array.of(VERSION), iv, ...sealed);
    },
    async open(blob) {
      if (blob[0] !== VERSION) throw new Error("The blob has no known form");
      const options = { key: sealKey, iv: blob.subarray(1, 1 + IV_BYTES), additionalData };
      const answer = await decryptGcm(blob.subarray(1 + IV_BYTES), options);
      return JSON.parse(new TextDecoder().decode(answer));
    },
  };
}

// Written as RFC 8785 writes an object of such values. Absent fields are left out.
function writeFields(fields: CallFields): string {
  const entries = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}
