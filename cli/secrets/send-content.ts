import type { Client } from "../../client/client.ts";
import { ANONYMOUS_LIMITS, MIN_SECRET_SECONDS, nearestLifetime } from "../../wire/limits.ts";
import { CliError, EXIT } from "../exit.ts";
import type { ServerAddress } from "../server/connect.ts";
import { type Io, withProgress } from "../terminal/io.ts";
import type { Content, FileContent } from "./content.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { postToServer, readJson } from "../server/rest.ts";

interface SendOptions {
  readonly io: Io;
  readonly server: ServerAddress;
  readonly client: Client;
  /** In seconds; the server's default where it is absent. */
  readonly expires: number | undefined;
  readonly passphrase: string | undefined;
  /** Whether the sender's hooks are told of it. */
  readonly notify: boolean;
}

/** Encrypts a text or a file on this machine and stores it; returns the API's answer with the whole link. */
export async function sendContent(content: Content, options: SendOptions) {
  return content.is === "text" ? sendText(content.text, options) : sendFile(content, options);
}

async function sendText(text: string, { client, expires, passphrase, notify }: SendOptions) {
  const { sealForLink } = await import("../../tools/crypto/end-to-end.ts");
  const { inner, fields } = await sealForLink(text, { passphrase });
  const made = await client.secrets.create.mutate({
    ...fields,
    expires,
    // Servers of earlier versions do not know this parameter.
    ...(!notify && { notify }),
  });
  return { ...made, url: `${made.url}.${inner}` };
}

async function sendFile(file: FileContent, options: SendOptions) {
  const { io, server, client, expires, passphrase, notify } = options;
  await checkSize(client, file.size);
  const { makeSenderKeys } = await import("../../tools/crypto/end-to-end.ts");
  const { sealFile } = await import("../../tools/crypto/file-seal.ts");
  const { inner, fileKey, gate } = await makeSenderKeys({ passphrase });
  const { name, size, type = "application/octet-stream" } = file;
  const pieces = () => {
    const source = withProgress(io, { label: "Sending", total: size }, file.read());
    return sealFile(source, { fileKey, metadata: { name, type, size } });
  };
  const made = await uploadFile(io, server, { pieces, expires, gate, notify });
  return { ...made, url: `${made.url}.${inner}` };
}

/** Refuses what the server would refuse, before it is sent in vain. @throws CliError limit */
export async function checkSize(client: Client, size: number): Promise<void> {
  if (size <= ANONYMOUS_LIMITS.fileSize) return;
  const limit = await askLimit(client, "secretFileSize");
  if (limit === undefined || size <= limit) return;
  const message = `The file has ${size} bytes; this server takes up to ${limit} from you.`;
  throw new CliError(EXIT.limit, message);
}

/** How much this caller may send now. */
export async function askLimit(
  client: Client,
  name: "secretLength" | "secretFileSize",
): Promise<number | undefined> {
  const { limits } = await client.tools.catalogue.query({});
  return limits[name]?.value;
}

/** The lifetime, in seconds, that this server gives to a caller who asks for `wanted`. */
export async function askLifetime(client: Client, wanted: number): Promise<number> {
  const { secretExpires } = (await client.tools.catalogue.query({})).limits;
  if (secretExpires === undefined) return wanted;
  // Servers of earlier versions name no minimum.
  const { value: maximum, minimum = MIN_SECRET_SECONDS, allowed: offered } = secretExpires;
  return nearestLifetime(wanted, { minimum, maximum, offered });
}

type CreatedFile = Awaited<ReturnType<Client["secrets"]["createFile"]["mutate"]>>;

/**
 * Stores a file as a secret while it is read and encrypted, and starts again where the server has moved. The server
 * asks for `gate`, in base64url, instead of the passphrase.
 */
async function uploadFile(
  io: Io,
  server: ServerAddress,
  of: Pick<SendOptions, "expires" | "notify"> & {
    pieces: () => AsyncGenerator<Bytes, void>;
    gate: string | null;
  },
): Promise<CreatedFile> {
  const { pieces, expires, gate, notify } = of;
  let cause: (() => unknown) | undefined;
  const body = () => {
    const stream = streamOf(pieces());
    cause = stream.cause;
    return stream.body;
  };
  const headers = {
    "content-type": "application/octet-stream",
    ...(gate !== null && { "secret-passphrase": gate }),
  };
  const lifetime = expires === undefined ? "" : `&expires=${expires}`;
  const path = `/api/secrets/file?isEncrypted=true${lifetime}${notify ? "" : "&notify=false"}`;
  const response = await postToServer(io, server, { path, headers, body }).catch((error: unknown) => {
    throw cause?.() ?? error;
  });
  // The answer has the fields that commands read; the others are only printed as JSON.
  return (await readJson(response, {
    url: `${server.url}${path}`,
    procedure: "secrets.createFile",
  })) as CreatedFile;
}

/** The pieces as a body. Fetch reports only that a body broke off; `cause` tells why. */
function streamOf(pieces: AsyncGenerator<Bytes, void>) {
  let broken: unknown;
  const body = new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const next = await pieces.next().catch((error: unknown) => {
          broken = error;
          throw error;
        });
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => void (await pieces.return()),
    },
    { highWaterMark: 0 },
  );
  return { body, cause: () => broken };
}
