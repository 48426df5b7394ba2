import { askAgain } from "../../../client/ask-again.ts";
import { resumeFile } from "../../../client/resume-file.ts";
import { BUNDLE_TYPE, BUNDLE_NAME } from "../../../tools/bundle/bundle-format.ts";
import { openFile } from "../../../tools/crypto/file-seal.ts";
import { deriveEndToEnd, type EndToEndKeys } from "../../../tools/crypto/text-seal.ts";
import { joinBytes, type Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { isNetworkFailure, isWorthAgain } from "../../api/failure.ts";
import { post } from "../../api/rest.ts";
import { chunksOfStream } from "../../work/read-chunks.ts";
import type { Control } from "../../work/run.ts";
import type { StatusAnswer } from "../status.ts";
import { readBundle } from "../../../tools/bundle/read-bundle.ts";
import { cleanFileName, typeOfName } from "../../../tools/file/file-name.ts";

/** A claimed file secret: the server keeps it for this page only, for ten minutes after the last byte. */
export type Delivery = Awaited<ReturnType<typeof startDelivery>>;

/** The content of one delivery: several things, where it is a bundle. */
export interface OpenedFiles {
  readonly file: File;
  readonly unpacked: BundleContent | undefined;
}

interface DeliveryControl extends Control {
  /** Called when the connection is lost, and again when bytes arrive. */
  readonly onCut: (isCut: boolean) => void;
}

/** Claims the file. @throws RestFailure wrong_passphrase, secret_gone: then nothing has been opened */
export async function startDelivery(
  secret: StatusAnswer,
  options: {
    fields: { key: string; passphrase?: string };
    keys: EndToEndKeys | undefined;
    /** As it was typed. */
    passphrase: string;
    ticket: string;
  },
) {
  const { fields, keys, passphrase, ticket } = options;
  const { id, size = 0, isEncrypted } = secret;
  const path = `/api/secrets/${id}/file`;
  const own = { "secret-ticket": ticket };
  let first: Response | undefined = await askAgain(() => post(path, fields, { headers: own }), isWorthAgain);
  const name = readFileName(first.headers.get("content-disposition") ?? "");
  const pieces: Bytes[] = [];
  let received = 0;

  return {
    size,
    /** Receives the missing bytes. It can be stopped and called again. */
    async receive(control: DeliveryControl): Promise<void> {
      const { signal } = control;
      const isLost = (error: unknown) => {
        signal.throwIfAborted();
        return isNetworkFailure(error);
      };
      const reopen = async (at: number) => {
        const headers = { ...own, range: `bytes=${at}-` };
        return readBody(await post(path, fields, { headers, signal }), signal);
      };
      const file = { pieces: first && readBody(first, signal), at: received, size };
      first = undefined;
      const pause = (ms: number) => waitForConnection(ms, control);
      for await (const piece of resumeFile(file, { reopen, isLost, pause })) {
        pieces.push(piece);
        received += piece.length;
        control.onCut(false);
        control.onProgress(received / size);
      }
    },
    /** Decrypts the file; `inner` completes a link whose last part was missing. */
    open: async (inner?: string): Promise<OpenedFiles> => {
      const sealed = joinBytes(pieces);
      const usable = inner === undefined ? keys : await deriveEndToEnd(inner, { passphrase });
      if (isEncrypted) return openSealed(sealed, usable, name);
      const file = fileOf([sealed], name);
      return { file, unpacked: name === BUNDLE_NAME ? await unpackIfBundle(file) : undefined };
    },
  };
}

async function* readBody({ body }: Response, signal: AbortSignal): AsyncGenerator<Bytes> {
  if (body) yield* chunksOfStream(body, signal);
}

// Waits less when the browser is online again.
function waitForConnection(ms: number, { signal, onCut }: DeliveryControl): Promise<void> {
  onCut(true);
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const finish = () => {
      clearTimeout(timer);
      over.abort();
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(finish, ms);
    addEventListener("online", finish, { signal: over.signal });
    signal.addEventListener("abort", finish, { signal: over.signal });
  });
}

const SEALED_HERE = "s2";

/** A file that another program has encrypted is returned unchanged. */
async function openSealed(sealed: Bytes, keys: EndToEndKeys | undefined, name: string): Promise<OpenedFiles> {
  if (new TextDecoder("latin1").decode(sealed.subarray(0, SEALED_HERE.length)) !== SEALED_HERE)
    return { file: fileOf([sealed], name), unpacked: undefined };
  if (!keys) throw new ToolFailure("password_wrong", "The link lacks the part that opens the file");
  const { metadata, pieces } = await openFile(sealed, keys.fileKey);
  const opened: Bytes[] = [];
  for await (const piece of pieces) opened.push(piece);
  if (metadata.type !== BUNDLE_TYPE) return { file: fileOf(opened, metadata.name), unpacked: undefined };
  const file = fileOf(opened, BUNDLE_NAME);
  // An unreadable bundle is still a file that can be saved.
  return { file, unpacked: await unpackIfBundle(file) };
}

// RFC 6266, 8187: the extended form where the name is not plain ASCII.
function readFileName(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return extended ? decodeURIComponent(extended) : (/filename="([^"]*)"/.exec(disposition)?.[1] ?? "");
}

/** Several things that came as one file. */
export type BundleContent = Awaited<ReturnType<typeof unpack>>;

/** The content of a bundle (docs/formats.md, 8), verified to its end; undefined for another file or a damaged one. */
async function unpackIfBundle(bundle: File): Promise<BundleContent | undefined> {
  try {
    return await unpack(bundle);
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

async function unpack(bundle: File) {
  let message: string | undefined;
  const files: File[] = [];
  for await (const part of readBundle(bundle.stream())) {
    if (part.is === "message") message = part.text;
    else files.push(fileOf([bundle.slice(part.start, part.start + part.size)], part.name));
  }
  return { message, files };
}

/**
 * A file with a safe name. Its type follows from the name: a type chosen by the sender could make it a page with
 * scripts.
 */
function fileOf(parts: readonly BlobPart[], name: string): File {
  const cleaned = cleanFileName(name, { fallback: "secret.bin" });
  return new File([...parts], cleaned, { type: typeOfName(cleaned) });
}
