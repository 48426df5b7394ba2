import { randomBase62 } from "../../tools/crypto/base62.ts";
import { deriveEndToEnd, sealText } from "../../tools/crypto/text-seal.ts";
import { utf8 } from "../../wire/bytes.ts";
import { INNER_LENGTH } from "./secret-link.ts";
import { server } from "../api/server.ts";

/** Who turns the text into ciphertext. */
export type EncryptionSide = "here" | "server";

/** A secret as its sender sees it; what opens it is in the link alone. */
export interface CreatedSecret {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly expiry: string;
  readonly revokeToken: string;
  readonly sealing: EncryptionSide;
  readonly hasPassphrase: boolean;
}

interface Draft {
  readonly text: string;
  readonly expires: number;
  readonly passphrase: string;
  readonly sealing: EncryptionSide;
}

/** Browsers give a page over plain http no Web Crypto, localhost aside. */
export function canEncrypt(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

const FIXED_BYTES = 28;

/** Characters that a text takes once it is sealed (docs/formats.md, 2). */
export function sealedLength(text: string): number {
  return "s1.".length + Math.ceil(((utf8(text).length + FIXED_BYTES) * 4) / 3);
}

/** Hands a text over: encrypted here, or left for the server to seal. */
export function shareSecret(draft: Draft): Promise<CreatedSecret> {
  return draft.sealing === "here" ? shareEndToEnd(draft) : shareSealedByServer(draft);
}

async function shareEndToEnd({ text, expires, passphrase, sealing }: Draft): Promise<CreatedSecret> {
  const inner = randomBase62(INNER_LENGTH);
  const { contentKey, gate } = await deriveEndToEnd(inner, { passphrase });
  const content = await sealText(text, { contentKey });
  const made = await server.secrets.create.mutate({
    content,
    expires,
    isEncrypted: true,
    ...(gate ? { passphrase: gate } : {}),
  });
  return { ...made, url: `${made.url}.${inner}`, sealing };
}

async function shareSealedByServer({ text, expires, passphrase, sealing }: Draft): Promise<CreatedSecret> {
  const made = await server.secrets.create.mutate({
    content: text,
    expires,
    ...(passphrase ? { passphrase } : {}),
  });
  return { ...made, sealing };
}
