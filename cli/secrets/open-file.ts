import type { ReaderKeys } from "../../tools/crypto/end-to-end.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { SecretLink } from "../../wire/links/links.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { ServerAddress } from "../server/connect.ts";
import { harmlessName } from "../files/given-name.ts";
import { startDownload, type FileDownload } from "../server/download.ts";
import { note, warn, type Io, withProgress } from "../terminal/io.ts";
import { afterFetch } from "./hand-out.ts";
import { openBundle, type OpenedBundle } from "./open-bundle.ts";
import { makeFolder, namesFolder, startNameless, startOutput, type NamelessOutput } from "../files/output.ts";
import { isMissing } from "../files/input.ts";

export interface SecretFileLink {
  readonly server: ServerAddress;
  readonly link: SecretLink;
  readonly isEncrypted: boolean;
  /** The stored size, where the server tells it. */
  readonly size?: number | undefined;
  readonly keys: ReaderKeys;
  readonly ticket: string;
  /** The stored name in the working directory where it is absent. */
  readonly output?: string | undefined;
  readonly force?: true | undefined;
  /** Whether several files stay in the ZIP that they came in. */
  readonly zip?: true | undefined;
  readonly anyName?: true | undefined;
}

/** What was received, and where it was written. */
interface OpenedSecretFile {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Decrypted here, encrypted by another program, or encrypted by Hushkit and not opened by this link. */
  readonly is: "file" | "foreign" | "sealed";
}

type SecretPieces = Omit<OpenedSecretFile, "path"> & { readonly pieces: AsyncIterable<Bytes> };

/**
 * Writes a file secret under its own name or the chosen one; several files under their names. The output is prepared
 * before the secret is claimed, and the file gets its name once it is complete and verified.
 */
export async function openSecretFile(
  io: Io,
  fileLink: SecretFileLink,
): Promise<OpenedSecretFile | OpenedBundle> {
  const { server, link, keys, ticket } = fileLink;
  const place = await findPlace(io, fileLink);
  try {
    const fields = { key: link.key, ...keys.sent };
    const delivery = await startDownload(io, { server, id: link.id, fields, ticket });
    return await afterFetch(async () => {
      const file = await openDelivery(delivery, fileLink);
      const bundle = await takeApart(io, file, { ...fileLink, place });
      if (bundle?.is === "bundle") return bundle;
      // The file was read before it turned out not to be a bundle, so it is asked for again with the ticket.
      return save(io, bundle ? await openDelivery(delivery, fileLink) : file, { ...fileLink, place });
    });
  } catch (error) {
    await place.drop();
    throw error;
  }
}

async function takeApart(
  io: Io,
  { is, type, size, pieces }: SecretPieces,
  { place, force, zip, anyName }: Pick<SecretFileLink, "force" | "zip" | "anyName"> & { place: OutputTarget },
): Promise<OpenedBundle | { is: "none" } | undefined> {
  const { BUNDLE_TYPE } = await import("../../tools/bundle/bundle-format.ts");
  if (is !== "file" || type !== BUNDLE_TYPE) return undefined;
  if (!place.folder) {
    if (!zip) await warn(io, ["these are several files, so what is written is a ZIP of them"]);
    return undefined;
  }
  const received = withProgress(io, { label: "Receiving", total: size }, pieces);
  const opened = await openBundle(io, received, { ...place.folder, force, anyName });
  if (!(opened instanceof ToolFailure)) {
    await place.drop();
    return opened;
  }
  await warn(io, [`${opened.message}. It is saved as one file.`]);
  return { is: "none" };
}

async function save(
  io: Io,
  { pieces, ...file }: SecretPieces,
  { place, anyName }: Pick<SecretFileLink, "anyName"> & { place: OutputTarget },
): Promise<OpenedSecretFile> {
  const { cleanFileName } = await import("../../tools/file/file-name.ts");
  const { BUNDLE_TYPE } = await import("../../tools/bundle/bundle-format.ts");
  const fallback = file.type === BUNDLE_TYPE ? "secret.zip" : "secret.bin";
  const name = cleanFileName(file.name, { fallback });
  const harmless = await harmlessName(name, { anyName });
  if (place.takesName) await note(io, `Writing ${harmless}`);
  let size = 0;
  for await (const piece of withProgress(io, { label: "Receiving", total: file.size }, pieces)) {
    size += piece.length;
    await place.write(piece);
  }
  return { ...file, name, size, path: await place.finish(harmless) };
}

// The file is used up by now: if it does not open, it is written as it came, so that it is not lost.
async function openDelivery(
  delivery: FileDownload,
  { isEncrypted, keys }: SecretFileLink,
): Promise<SecretPieces> {
  const { name, type, size } = delivery;
  const pieces = delivery.pieces();
  if (!isEncrypted) return { is: "file", name, type, size, pieces };
  const { openFile } = await import("../../tools/crypto/file-seal.ts");
  // Without a key in the link this only tells whether Hushkit encrypted the file.
  const fileKey = keys.keys?.fileKey ?? new Uint8Array(32);
  try {
    const opened = await openFile(pieces, fileKey);
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

/** The output for content that may turn out to be one file or several. */
interface OutputTarget extends NamelessOutput {
  /** Where several files go; undefined where the output takes one stream of bytes only. */
  readonly folder: { readonly folder: string; readonly isNew: boolean } | undefined;
  /** Whether one file gets its stored name; otherwise -o names it. */
  readonly takesName: boolean;
}

/**
 * Prepares the output before anything is claimed: -o is a file, a folder that exists or ends in a slash, or whatever
 * the content turns out to be.
 * @throws CliError usage where that is impossible
 */
async function findPlace(io: Io, options: SecretFileLink): Promise<OutputTarget> {
  const { output, force, size: sizeBytes, zip } = options;
  if (output === undefined || namesFolder(io, output)) {
    if (output !== undefined) await makeFolder(io, output);
    const folder = { folder: output ?? "", isNew: false };
    const place = await startNameless(io, { ...folder, force, sizeBytes });
    return { ...place, folder: zip ? undefined : folder, takesName: true };
  }
  const isNew = await isMissing(io, output);
  const { write, finish, drop } = await startOutput(io, { path: output, force, isPrivate: true, sizeBytes });
  return {
    write,
    drop,
    finish: async () => (await finish(), output),
    folder: isNew && !zip ? { folder: output, isNew } : undefined,
    takesName: false,
  };
}
