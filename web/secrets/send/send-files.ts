import { BUNDLE_TYPE, BUNDLE_NAME } from "../../../tools/bundle/bundle-format.ts";
import { makeBundle } from "../../../tools/bundle/make-bundle.ts";
import { makeSenderKeys } from "../../../tools/crypto/end-to-end.ts";
import { sealFile } from "../../../tools/crypto/file-seal.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { UnreadableFile } from "../../api/failure.ts";
import { uploadWithProgress, type AnswerOf, type Secrets } from "../../api/rest.ts";
import { chunksOfStream } from "../../work/read-chunks.ts";
import type { Control } from "../../work/run.ts";
import { messageOf, type Content } from "./content.ts";

interface SendOptions {
  readonly expires: number;
  readonly passphrase: string;
  /** Encrypted. */
  readonly label?: string | undefined;
  readonly notify?: boolean;
  readonly control: Control;
}

type CreatedFile = AnswerOf<Secrets["createFile"]>;

/** Encrypts files and their message end to end, chunk by chunk, with names and types. */
export async function sendSealedFiles(content: Content, options: SendOptions): Promise<CreatedFile> {
  const { expires, passphrase, control } = options;
  const { name, type, size, read } = await packContent(content, control.signal);
  const { inner, fileKey, gate } = await makeSenderKeys({ passphrase });
  const parts: Bytes[] = [];
  for await (const part of sealFile(read(), { fileKey, metadata: { name, type, size } })) parts.push(part);
  const query = `expires=${expires}&isEncrypted=true${ownQuery(options)}`;
  const created = await send(new Blob(parts), { query, passphrase: gate ?? "", control });
  return { ...created, url: `${created.url}.${inner}` };
}

/** Stores files that the server encrypts: several things as a ZIP that every program opens. */
export async function sendFiles(content: Content, options: SendOptions): Promise<CreatedFile> {
  const { expires, passphrase, control } = options;
  const { name, read } = await packContent(content, control.signal);
  // Read before it is sent: a browser calls a file that has changed on the disk meanwhile a lost connection.
  const parts: Bytes[] = [];
  for await (const part of read()) parts.push(part);
  const filename = encodeURIComponent(name || BUNDLE_NAME);
  const query = `expires=${expires}&filename=${filename}${ownQuery(options)}`;
  return send(new Blob(parts), { query, passphrase, control });
}

/** A single file without a message is sent as it is. */
function fileAlone(content: Content): File | undefined {
  return content.files.length === 1 && messageOf(content) === undefined ? content.files[0] : undefined;
}

/** The content as one file. */
interface Pack {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly read: () => AsyncIterable<Bytes>;
}

/** Several things in one (docs/formats.md, 8), under a name that says nothing. */
async function packContent(content: Content, signal: AbortSignal): Promise<Pack> {
  const alone = fileAlone(content);
  if (alone) return readable(alone, signal);
  const files = content.files.map((file) => readable(file, signal));
  const { size, pieces } = await makeBundle(files, { message: messageOf(content) });
  return { name: "", type: BUNDLE_TYPE, size, read: pieces };
}

function readable(file: File, signal: AbortSignal): Pack {
  const { name, type, size } = file;
  const read = async function* () {
    try {
      yield* chunksOfStream(file.stream(), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new UnreadableFile(name, { cause: error });
    }
  };
  return { name, type, size, read };
}

/** Parameters of members only. */
function ownQuery({ label, notify = true }: SendOptions): string {
  return `${label === undefined ? "" : `&label=${label}`}${notify ? "" : "&notify=false"}`;
}

function send(
  body: Blob,
  { query, passphrase, control }: { query: string; passphrase: string; control: Control },
): Promise<CreatedFile> {
  const headers = passphrase ? { "secret-passphrase": encodeURIComponent(passphrase) } : {};
  return uploadWithProgress<CreatedFile>(`/api/secrets/file?${query}`, { body, headers, control });
}
