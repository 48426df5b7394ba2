import { sealForLink } from "../../../tools/crypto/end-to-end.ts";
import { server } from "../../api/server.ts";
import type { Control } from "../../work/run.ts";

/** Where the content is encrypted. */
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
  readonly file: File | undefined;
}

export interface SecretInput {
  readonly text: string;
  /** In place of the text. */
  readonly file: File | undefined;
  readonly expires: number;
  readonly passphrase: string;
  readonly sealing: EncryptionSide;
}

/** Over plain http, browsers have no Web Crypto except on localhost. */
export function canEncrypt(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** Stores a text or a file, encrypted here or sealed by the server. */
export async function shareSecret(input: SecretInput, control: Control): Promise<CreatedSecret> {
  const { sealing, passphrase, file } = input;
  const created = file ? await shareFile(file, { input, control }) : await shareText(input, control);
  return { ...created, passphrase, sealing, file };
}

async function shareFile(file: File, { input, control }: { input: SecretInput; control: Control }) {
  const { sendFile, sendSealedFile } = await import("./send-file.ts");
  return input.sealing === "here"
    ? sendSealedFile(file, { ...input, control })
    : sendFile(file, { ...input, control });
}

async function shareText({ text, expires, passphrase, sealing }: SecretInput, { signal }: Control) {
  if (sealing === "server") {
    const plain = { content: text, expires, ...(passphrase ? { passphrase } : {}) };
    return server.secrets.create.mutate(plain, { signal });
  }
  const { inner, fields } = await sealForLink(text, { passphrase });
  const created = await server.secrets.create.mutate({ ...fields, expires }, { signal });
  return { ...created, url: `${created.url}.${inner}` };
}
