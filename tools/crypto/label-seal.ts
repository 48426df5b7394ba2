import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import { concatBytes, utf8, type Bytes } from "../../wire/bytes.ts";
import { MAX_LABEL_CHARACTERS } from "../../wire/limits.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { decryptGcm, encryptGcm } from "./aes-gcm.ts";
import { systemRandom } from "./base62.ts";
import { hkdfSha256 } from "./key-derivation.ts";
import { normalized } from "../../wire/nfc.ts";

const PREFIX = "l1.";
const INFO = "service-label/v1";
const IV_BYTES = 12;
/** Rounds up the length, so that an encrypted label reveals it only roughly. */
const STEP_BYTES = 64;

/**
 * Encrypts the owner's name for a secret (docs/formats.md). `secret` is 32 random bytes, which never leave the browser;
 * `iv` has 12 bytes, is never used twice, and is drawn at random when absent.
 * @throws ToolFailure invalid_parameter for one too long
 */
export async function sealLabel(
  label: string,
  secret: Bytes,
  iv: Bytes = systemRandom(new Uint8Array(IV_BYTES)),
): Promise<string> {
  const text = utf8(normalized(label));
  if ([...label].length > MAX_LABEL_CHARACTERS || text.includes(0)) throw unfit();
  const padded = new Uint8Array(Math.max(1, Math.ceil(text.length / STEP_BYTES)) * STEP_BYTES);
  padded.set(text);
  const parts = await encryptGcm(padded, sealOf(secret, iv));
  return PREFIX + encodeBase64Url(concatBytes(iv, ...parts));
}

/** Decrypts the label; undefined where another browser encrypted it, or it is not a label. */
export async function openLabel(sealed: string, secret: Bytes): Promise<string | undefined> {
  if (!/^l1\.[\w-]{120,}$/.test(sealed)) return undefined;
  try {
    const bytes = decodeBase64(sealed.slice(PREFIX.length));
    const iv = bytes.slice(0, IV_BYTES);
    const padded = await decryptGcm(bytes.slice(IV_BYTES), sealOf(secret, iv));
    const end = padded.indexOf(0);
    return new TextDecoder("utf-8", { fatal: true }).decode(end < 0 ? padded : padded.subarray(0, end));
  } catch {
    return undefined;
  }
}

function sealOf(secret: Bytes, iv: Bytes) {
  const key = hkdfSha256(secret, { salt: "", info: INFO, length: 32 });
  return { key, iv, additionalData: utf8(INFO) };
}

function unfit(): ToolFailure {
  const message = `A label has at most ${MAX_LABEL_CHARACTERS} characters`;
  return new ToolFailure("invalid_parameter", message, { parameter: "label" });
}
