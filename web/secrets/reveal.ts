import { deriveEndToEnd, openText } from "../../tools/crypto/text-seal.ts";
import type { SecretLink } from "./secret-link.ts";
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
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "sealed"; readonly content: string; readonly passphrase: string }
  | { readonly is: "foreign"; readonly content: string };

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
  const isOurs = secret.isEncrypted && inner !== undefined;
  const keys = isOurs ? await deriveEndToEnd(inner, { passphrase }) : undefined;
  const sent = secret.hasPassphrase ? (keys?.gate ?? passphrase) : undefined;
  const { content, isEncrypted } = await server.secrets.reveal.mutate({
    id,
    key,
    ...(sent === undefined ? {} : { passphrase: sent }),
  });
  if (!isEncrypted) return { is: "text", text: content };
  if (!content.startsWith("s1.")) return { is: "foreign", content };
  if (!keys) return { is: "sealed", content, passphrase };
  return openText(content, keys)
    .then((text): RevealedContent => ({ is: "text", text }))
    .catch((): RevealedContent => ({ is: "sealed", content, passphrase }));
}

/** Decrypts content that was read with an incomplete link. */
export async function decryptWith(
  inner: string,
  of: { content: string; passphrase: string },
): Promise<string> {
  return openText(of.content, await deriveEndToEnd(inner, { passphrase: of.passphrase }));
}
