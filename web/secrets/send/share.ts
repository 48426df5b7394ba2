import { sealForLink } from "../../../tools/crypto/end-to-end.ts";
import { sealOwnLabel } from "../../account/labels.ts";
import { server } from "../../api/server.ts";
import type { Control } from "../../work/run.ts";
import type { Content } from "./content.ts";

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
  /** The files in it; none for a text. */
  readonly files: readonly File[];
}

export interface SecretInput extends Content {
  readonly expires: number;
  readonly passphrase: string;
  /** The member's name for it; may be empty. */
  readonly label: string;
  readonly notify: boolean;
  readonly sealing: EncryptionSide;
}

/** Stores a text or files, encrypted here or by the server. */
export async function shareSecret(input: SecretInput, control: Control): Promise<CreatedSecret> {
  const { sealing, passphrase, files } = input;
  const sentSecret = { ...input, label: await sealOwnLabel(input.label) };
  const created =
    files.length > 0 ? await shareFiles(sentSecret, control) : await shareText(sentSecret, control);
  return { ...created, passphrase, sealing, files };
}

/** With the label encrypted. */
type SentSecret = Omit<SecretInput, "label"> & { readonly label: string | undefined };

async function shareFiles(sentSecret: SentSecret, control: Control) {
  const { sendFiles, sendSealedFiles } = await import("./send-files.ts");
  const send = sentSecret.sealing === "here" ? sendSealedFiles : sendFiles;
  return send(sentSecret, { ...sentSecret, control });
}

async function shareText(
  { text, expires, passphrase, label, notify, sealing }: SentSecret,
  { signal }: Control,
) {
  if (sealing === "server") {
    const plain = { content: text, expires, label, notify, passphrase: passphrase || undefined };
    return server.secrets.create.mutate(plain, { signal });
  }
  const { inner, fields } = await sealForLink(text, { passphrase });
  const created = await server.secrets.create.mutate({ ...fields, expires, label, notify }, { signal });
  return { ...created, url: `${created.url}.${inner}` };
}
