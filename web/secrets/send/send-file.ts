import { makeSenderKeys } from "../../../tools/crypto/end-to-end.ts";
import { sealFile } from "../../../tools/crypto/file-seal.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { uploadWithProgress, type AnswerOf, type Secrets } from "../../api/rest.ts";
import { chunksOfStream } from "../../files/read-chunks.ts";
import type { Control } from "../../work/run.ts";

interface SendOptions {
  readonly expires: number;
  readonly passphrase: string;
  /** Sealed. */
  readonly label?: string | undefined;
  readonly control: Control;
}

type CreatedFile = AnswerOf<Secrets["createFile"]>;

/** Seals a file end to end, chunk by chunk, and stores it; its name and type are inside the seal. */
export async function sendSealedFile(file: File, options: SendOptions): Promise<CreatedFile> {
  const { expires, passphrase, label, control } = options;
  const { inner, fileKey, gate } = await makeSenderKeys({ passphrase });
  const { name, type, size } = file;
  const parts: Bytes[] = [];
  const chunks = chunksOfStream(file.stream(), control.signal);
  for await (const part of sealFile(chunks, { fileKey, metadata: { name, type, size } })) parts.push(part);
  const query = `expires=${expires}&isEncrypted=true${labelQuery(label)}`;
  const created = await send(new Blob(parts), { query, passphrase: gate ?? "", control });
  return { ...created, url: `${created.url}.${inner}` };
}

/** Stores a file that the server seals. */
export function sendFile(
  file: File,
  { expires, passphrase, label, control }: SendOptions,
): Promise<CreatedFile> {
  const query = `expires=${expires}&filename=${encodeURIComponent(file.name)}${labelQuery(label)}`;
  return send(file, { query, passphrase, control });
}

function labelQuery(label: string | undefined): string {
  return label === undefined ? "" : `&label=${label}`;
}

function send(
  body: Blob,
  { query, passphrase, control }: { query: string; passphrase: string; control: Control },
): Promise<CreatedFile> {
  const headers = passphrase ? { "secret-passphrase": encodeURIComponent(passphrase) } : {};
  return uploadWithProgress<CreatedFile>(`/api/secrets/file?${query}`, { body, headers, control });
}
