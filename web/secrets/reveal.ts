import { makeReaderKeys, openRevealed, type OpenedContent } from "../../tools/crypto/end-to-end.ts";
import { deriveEndToEnd, openText } from "../../tools/crypto/text-seal.ts";
import type { SecretLink } from "../../wire/links.ts";
import { server } from "../api/server.ts";

/** The state of a secret, which can be asked for without reading it. */
export interface SecretStatus {
  readonly status: "active" | "revealed" | "revoked" | "expired" | "locked";
  readonly expiry: string;
  readonly closed: string | null;
  readonly isEncrypted: boolean;
  readonly hasPassphrase: boolean;
}

/** The content of a secret: text, or ciphertext that this link does not decrypt. */
export type RevealedContent =
  | Exclude<OpenedContent, { is: "sealed" }>
  | (Extract<OpenedContent, { is: "sealed" }> & { readonly passphrase: string });

/** Asks for the state of a secret. This reads nothing and changes nothing. */
export function fetchStatus({ id, key }: SecretLink): Promise<SecretStatus> {
  return server.secrets.status.mutate({ id, key });
}

interface RevealOptions {
  readonly secret: SecretStatus;
  readonly passphrase: string;
}

/** Reads the secret, which deletes it, and decrypts it if it was encrypted in a browser. */
export async function revealSecret(link: SecretLink, options: RevealOptions): Promise<RevealedContent> {
  const { secret, passphrase } = options;
  const { id, key, inner } = link;
  const { keys, sent } = await makeReaderKeys(inner, { ...secret, passphrase });
  const opened = await openRevealed(await server.secrets.reveal.mutate({ id, key, ...sent }), keys);
  return opened.is === "sealed" ? { ...opened, passphrase } : opened;
}

/** Decrypts content that was read with an incomplete link. */
export async function decryptWith(
  inner: string,
  of: { content: string; passphrase: string },
): Promise<string> {
  return openText(of.content, await deriveEndToEnd(inner, { passphrase: of.passphrase }));
}
