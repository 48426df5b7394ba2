import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { systemRandom } from "./base62.ts";
import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { Limiter } from "./key-derivation.ts";
import { hkdfByWebCrypto, pbkdf2Sha256 } from "./key-derivation.ts";

const LABEL = "service-e2e/v1";
const PREFIX = "s1.";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The content key, which only the two ends have, and the gate, which the server gets as passphrase. */
export interface EndToEndKeys {
  readonly contentKey: Bytes;
  /** Encrypts a file, as contentKey encrypts a text. */
  readonly fileKey: Bytes;
  readonly gate: string | null;
}

/**
 * Derives the keys of end-to-end text from the part of the link that no server sees (docs/formats.md, 2). With a
 * passphrase there is also the gate, with which a server counts wrong guesses without learning the passphrase.
 */
export async function deriveEndToEnd(
  inner: string,
  options: { passphrase?: string | undefined; limiter?: Limiter | undefined } = {},
): Promise<EndToEndKeys> {
  const { passphrase, limiter } = options;
  const secret = utf8(inner);
  if (!passphrase) return { ...(await deriveContentKeys(secret)), gate: null };
  const salt = await hkdfByWebCrypto(secret, { info: `${LABEL} passphrase-salt`, length: 16 });
  const stretched = concatBytes(secret, await pbkdf2Sha256(passphrase, { salt, limiter }));
  const gate = encodeBase64Url(await hkdfByWebCrypto(stretched, { info: `${LABEL} gate`, length: 32 }));
  return { ...(await deriveContentKeys(stretched)), gate };
}

/**
 * Encrypts text end to end as `s1.` and base64url of iv || AES-256-GCM ciphertext and tag.
 * @throws ToolFailure invalid_parameter when the text contains half of a surrogate pair, which UTF-8 cannot encode
 */
export async function sealText(
  text: string,
  contentKey: Bytes,
  iv: Bytes = systemRandom(new Uint8Array(IV_BYTES)),
): Promise<string> {
  const bytes = utf8(wellFormed(text));
  const key = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["encrypt"]);
  const sealed = await crypto.subtle.encrypt(gcmOf(iv), key, bytes);
  return PREFIX + encodeBase64Url(concatBytes(iv, new Uint8Array(sealed)));
}

/**
 * Decrypts what sealText returned.
 * @throws ToolFailure not_a_container for another form, damaged_file when it is incomplete, password_wrong for another
 * link or passphrase or a changed text: a cipher cannot tell these apart
 */
export async function openText(content: string, contentKey: Bytes): Promise<string> {
  const sealed = readSealed(content, PREFIX, IV_BYTES + TAG_BYTES);
  if (!sealed) {
    const message = "The sealed text is not whole: copy it again from its first to its last character";
    throw new ToolFailure("damaged_file", message);
  }
  const key = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["decrypt"]);
  const text = await crypto.subtle
    .decrypt(gcmOf(sealed.subarray(0, IV_BYTES)), key, sealed.subarray(IV_BYTES))
    .catch(() => {
      const message =
        "The text does not open: the link or the passphrase is not the right one, or the text was changed";
      throw new ToolFailure("password_wrong", message);
    });
  // A byte order mark is content like any other character.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
}

/** A text that UTF-8 can encode. @throws ToolFailure invalid_parameter for one with half of a surrogate pair */
export function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  const message = '"text" holds half of a surrogate pair; only whole Unicode characters can be sealed';
  throw new ToolFailure("invalid_parameter", message, { parameter: "text" });
}

/**
 * The bytes of a sealed text, which are written in base64url after a prefix; undefined where they are not whole.
 * @throws ToolFailure not_a_container for another prefix
 */
export function readSealed(text: string, prefix: string, minimumBytes: number): Bytes | undefined {
  if (!text.startsWith(prefix)) {
    const message = `The text was not sealed here: it does not begin with "${prefix}"`;
    throw new ToolFailure("not_a_container", message);
  }
  const digits = text.slice(prefix.length);
  // A lenient decoder would accept line breaks, and one text would have many forms.
  const isWhole = /^[0-9A-Za-z_-]+$/.test(digits) && digits.length % 4 !== 1;
  const sealed = isWhole ? decodeBase64(digits) : new Uint8Array(0);
  return sealed.length >= minimumBytes ? sealed : undefined;
}

async function deriveContentKeys(secret: Bytes): Promise<Pick<EndToEndKeys, "contentKey" | "fileKey">> {
  const derive = (what: string) => hkdfByWebCrypto(secret, { info: `${LABEL} ${what}`, length: 32 });
  return { contentKey: await derive("content"), fileKey: await derive("file") };
}

function gcmOf(iv: Bytes) {
  return { name: "AES-GCM", iv, additionalData: utf8(LABEL) };
}
