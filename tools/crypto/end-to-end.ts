import { randomBase62 } from "./base62.ts";
import { deriveEndToEnd, openText, sealText, type EndToEndKeys } from "./text-seal.ts";
import { INNER_LENGTH } from "../../wire/links/links.ts";

/** Draws the inner key of a link, the part after its dot, and derives the other keys from it. */
export async function makeSenderKeys(options: {
  passphrase?: string | undefined;
}): Promise<EndToEndKeys & { inner: string }> {
  const inner = randomBase62(INNER_LENGTH);
  return { inner, ...(await deriveEndToEnd(inner, options)) };
}

/** A text as it leaves its sender: what the server receives, and what it never sees. */
export async function sealForLink(text: string, options: { passphrase?: string | undefined }) {
  const { inner, contentKey, gate } = await makeSenderKeys(options);
  const content = await sealText(text, contentKey);
  return { inner, fields: { content, isEncrypted: true, ...(gate !== null && { passphrase: gate }) } };
}

/** What the reader of a link knows about it. */
export interface ReaderKeys {
  /** Undefined where there is nothing to decrypt on this side. */
  readonly keys: EndToEndKeys | undefined;
  /** What the server asks for: the passphrase, or the gate derived from it. */
  readonly sent: { readonly passphrase?: string };
}

/** Derives the keys of a secret from its link and from what the server says about it. */
export async function makeReaderKeys(
  inner: string | undefined,
  secret: { isEncrypted: boolean; hasPassphrase: boolean; passphrase: string | undefined },
): Promise<ReaderKeys> {
  const passphrase = secret.hasPassphrase ? secret.passphrase : undefined;
  const isOurs = secret.isEncrypted && inner !== undefined;
  const keys = isOurs ? await deriveEndToEnd(inner, { passphrase }) : undefined;
  const sent = keys?.gate ?? passphrase;
  return { keys, sent: sent === undefined ? {} : { passphrase: sent } };
}

/** The content of a secret: text, ciphertext that this link does not decrypt, or that of another program. */
export type OpenedContent =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "sealed"; readonly content: string }
  | { readonly is: "foreign"; readonly content: string };

/** Decrypts what the server returned. It is used up by now, so nothing throws here: undecryptable content is kept. */
export async function openRevealed(
  { content, isEncrypted }: { content: string; isEncrypted: boolean },
  keys: EndToEndKeys | undefined,
): Promise<OpenedContent> {
  if (!isEncrypted) return { is: "text", text: content };
  if (!content.startsWith("s1.")) return { is: "foreign", content };
  if (!keys) return { is: "sealed", content };
  return openText(content, keys.contentKey).then(
    (text) => ({ is: "text", text }),
    () => ({ is: "sealed", content }),
  );
}
