import type { ReaderKeys } from "../../tools/crypto/end-to-end.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { SecretLink } from "../../wire/links.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { startNameless, startOutput, type Nameless } from "../files/output.ts";
import type { ServerAddress } from "../server/connect.ts";
import { startDownload, type FileDownload } from "../server/download.ts";
import type { Io } from "../terminal/io.ts";
import { withProgress } from "../terminal/progress.ts";

interface Opening {
  readonly server: ServerAddress;
  readonly link: SecretLink;
  readonly isEncrypted: boolean;
  /** As it is stored, where the server tells. */
  readonly size?: number | undefined;
  readonly keys: ReaderKeys;
  readonly ticket: string;
  /** The stored name in this folder where it is absent. */
  readonly output?: string | undefined;
  readonly force?: true | undefined;
}

/** Where a file went, and what it was. */
export interface OpenedSecretFile {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Opened here, encrypted by another program, or sealed here and not opened by this link. */
  readonly is: "file" | "foreign" | "sealed";
}

/**
 * Reads a file secret to its name, or to the one that was chosen. The place for it is made before it is claimed; it
 * gets its name when all of it is there and has verified.
 */
export async function openSecretFile(io: Io, opening: Opening): Promise<OpenedSecretFile> {
  const { server, link, keys, ticket } = opening;
  const writing = await startWriting(io, opening);
  try {
    const fields = { key: link.key, ...keys.sent };
    const delivery = await startDownload(io, { server, id: link.id, fields, ticket });
    const { pieces, ...file } = await openDelivery(delivery, opening);
    let size = 0;
    for await (const piece of withProgress(io, { label: "Receiving", total: file.size }, pieces)) {
      size += piece.length;
      await writing.write(piece);
    }
    const { cleanFileName } = await import("../../tools/file/file-name.ts");
    const name = cleanFileName(file.name, { fallback: "secret.bin" });
    return { ...file, name, size, path: await writing.finish(name) };
  } catch (error) {
    await writing.drop();
    throw error;
  }
}

async function startWriting(io: Io, { output, force, size: sizeBytes }: Opening): Promise<Nameless> {
  if (output === undefined) return startNameless(io, { force, sizeBytes });
  const { write, finish, drop } = await startOutput(io, { path: output, force, isPrivate: true, sizeBytes });
  return { write, drop, finish: async () => (await finish(), output) };
}

// The file is used up by now: what does not open is handed out as it is, and is not lost.
async function openDelivery(
  delivery: FileDownload,
  { isEncrypted, keys }: Opening,
): Promise<Omit<OpenedSecretFile, "path"> & { readonly pieces: AsyncIterable<Bytes> }> {
  const { name, type, size } = delivery;
  const pieces = delivery.pieces();
  if (!isEncrypted) return { is: "file", name, type, size, pieces };
  const { openFile } = await import("../../tools/crypto/file-seal.ts");
  // Without a key of the link this only tells whether the file was sealed here.
  const fileKey = keys.keys?.fileKey ?? new Uint8Array(32);
  try {
    const opened = await openFile(pieces, { fileKey });
    return { is: "file", ...opened.metadata, pieces: opened.pieces };
  } catch (error) {
    const is = closedAs(error);
    if (!is) throw error;
    await pieces.return();
    return { is, name, type, size, pieces: delivery.pieces() };
  }
}

function closedAs(error: unknown): "foreign" | "sealed" | undefined {
  if (!(error instanceof ToolFailure)) return undefined;
  if (error.code === "not_a_container") return "foreign";
  return error.code === "password_wrong" ? "sealed" : undefined;
}
