import type { Client } from "../../client/client.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { Io } from "../terminal/io.ts";
import type { ServerAddress } from "./connect.ts";
import { postToServer } from "./rest.ts";

export type CreatedFile = Awaited<ReturnType<Client["secrets"]["createFile"]["mutate"]>>;

/**
 * Stores a file as a secret while it is read and sealed, which is done anew where the server is elsewhere. The server
 * asks for `gate`, in base64url, instead of the passphrase.
 */
export async function uploadFile(
  io: Io,
  server: ServerAddress,
  {
    pieces,
    expires,
    gate,
    notify,
  }: {
    pieces: () => AsyncGenerator<Bytes, void>;
    expires: number | undefined;
    gate: string | null;
    notify: boolean;
  },
): Promise<CreatedFile> {
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
  // The server is the one that the types were made for, or none that this program knows.
  return (await response.json()) as CreatedFile;
}

/** The pieces as a body. Fetch tells only that a body broke off, `cause` tells why. */
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
