import { sealForLink } from "../../tools/crypto/end-to-end.ts";
import { server } from "../api/server.ts";

/** Where the text is encrypted. */
export type EncryptionSide = "here" | "server";

/** A secret as its sender sees it. Only the link opens it. */
export interface CreatedSecret {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly expiry: string;
  readonly revokeToken: string;
  readonly sealing: EncryptionSide;
  /** As it was typed; empty without one. */
  readonly passphrase: string;
}

export interface SecretInput {
  readonly text: string;
  readonly expires: number;
  readonly passphrase: string;
  readonly sealing: EncryptionSide;
}

/** Over plain http, browsers have no Web Crypto except on localhost. */
export function canEncrypt(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** Stores a text, encrypted here or sealed by the server. */
export function shareSecret(draft: SecretInput): Promise<CreatedSecret> {
  return draft.sealing === "here" ? shareEndToEnd(draft) : shareSealedByServer(draft);
}

async function shareEndToEnd({ text, expires, passphrase, sealing }: SecretInput): Promise<CreatedSecret> {
  const { inner, fields } = await sealForLink(text, { passphrase });
  const created = await server.secrets.create.mutate({ ...fields, expires });
  return { ...created, url: `${created.url}.${inner}`, passphrase, sealing };
}

async function shareSealedByServer({
  text,
  expires,
  passphrase,
  sealing,
}: SecretInput): Promise<CreatedSecret> {
  const created = await server.secrets.create.mutate({
    content: text,
    expires,
    ...(passphrase ? { passphrase } : {}),
  });
  return { ...created, passphrase, sealing };
}
