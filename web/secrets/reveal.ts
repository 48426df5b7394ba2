import { deriveEndToEnd, openText } from "../../tools/crypto/text-seal.ts";
import type { SecretLink } from "./secret-link.ts";
import { server } from "../api/server.ts";

/** What is known of a secret before it is read. */
export interface Waiting {
  readonly status: "active" | "revealed" | "revoked" | "expired" | "locked";
  readonly expiry: string;
  readonly closed: string | null;
  readonly isEncrypted: boolean;
  readonly hasPassphrase: boolean;
}

/** What came out: readable text, or ciphertext that this link does not open. */
export type Opened =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "sealed"; readonly content: string; readonly passphrase: string }
  | { readonly is: "foreign"; readonly content: string };

/** Asks how a secret stands. This reads nothing and changes nothing. */
export function askStatus({ id, key }: SecretLink): Promise<Waiting> {
  return server.secrets.status.mutate({ id, key });
}

interface RevealOptions {
  readonly waiting: Waiting;
  readonly passphrase: string;
}

/** Reads the secret, which deletes it, and decrypts what was encrypted in a browser. */
export async function revealSecret(link: SecretLink, options: RevealOptions): Promise<Opened> {
  const { waiting, passphrase } = options;
  const { id, key, inner } = link;
  const isOurs = waiting.isEncrypted && inner !== undefined;
  const keys = isOurs ? await deriveEndToEnd(inner, { passphrase }) : undefined;
  const sent = waiting.hasPassphrase ? (keys?.gate ?? passphrase) : undefined;
  const { content, isEncrypted } = await server.secrets.reveal.mutate({
    id,
    key,
    ...(sent === undefined ? {} : { passphrase: sent }),
  });
  if (!isEncrypted) return { is: "text", text: content };
  if (!content.startsWith("s1.")) return { is: "foreign", content };
  if (!keys) return { is: "sealed", content, passphrase };
  return openText(content, keys)
    .then((text): Opened => ({ is: "text", text }))
    .catch((): Opened => ({ is: "sealed", content, passphrase }));
}

/** Opens text that was read with a damaged link, by the whole one. */
export async function openWith(inner: string, of: { content: string; passphrase: string }): Promise<string> {
  return openText(of.content, await deriveEndToEnd(inner, { passphrase: of.passphrase }));
}
