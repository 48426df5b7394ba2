import { openAsBlob, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeAll, afterAll, expect, test } from "vitest";
import { createClient, notHushkitOf } from "../../client/index.ts";
import { ByteStream } from "../../wire/byte-pieces.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const asked: string[] = [];
let url = "";
// Reads what is sent, and never answers.
const server = createServer((request) => {
  asked.push(request.url ?? "");
  request.resume();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on a port
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function* failing(error: unknown): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new Uint8Array(70_000);
  yield new Uint8Array(70_000);
  throw error;
}

const STREAMS = {
  "an iterable": failing,
  "a stream of Node": (error: unknown) => Readable.from(failing(error)),
  "a stream of the platform": (error: unknown) => new ByteStream(failing(error)).stream(),
};

test.each(Object.entries(STREAMS))("says that %s has failed, and no network", async (_, makeStream) => {
  // A request may arrive when its call has failed already.
  const path = `/${crypto.randomUUID()}`;
  const { tools, secrets } = createClient(url + path);
  const cause = new Error("disk on fire");
  const file = () => makeStream(cause);
  const calls = [
    () => tools.fileHash.mutate({ file: file() }),
    () => tools.fileHash.mutate({ file: file() }, { context: { onUploadProgress: () => {} } }),
    () => secrets.createFile.mutate({ file: file() }),
    // @ts-expect-error a tool that takes no stream
    () => tools.pdfRotate.mutate({ file: file() }),
  ];
  for (const call of calls) {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "TRPCClientError", cause });
    expect(String(error)).toContain("The given file or stream failed while it was read: disk on fire");
    expect(notHushkitOf(error)).toBeUndefined();
  }
  expect(asked.filter((each) => each.startsWith(path)).length).toBeLessThanOrEqual(calls.length);
});

test("says so of a stream that gives text in place of bytes, also where nothing else is an error", async () => {
  const file = Readable.from(["hush"]).setEncoding("utf8");
  const call = createClient(url).tools.fileHash.mutate({ file });
  await expect(call).rejects.toThrow("It gave a string in place of bytes");
  await expect(createClient(url).tools.fileHash.mutate({ file: failing("gone") })).rejects.toThrow(
    "read: gone",
  );
});

/** More than any buffer on the way holds, and what hears that nobody reads on. */
function endless(onEnd: () => void) {
  return (async function* () {
    try {
      for (;;) yield new Uint8Array(100_000);
    } finally {
      onEnd();
    }
  })();
}

test("ends the stream of a call that is aborted, cut off, refused or unheard before all of it was sent", async () => {
  const refusing = createServer((request, response) => {
    if (request.url?.startsWith("/cut")) return request.once("data", () => request.socket.destroy());
    return response.writeHead(413, { "content-type": "text/html" }).end("too large");
  });
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  const other = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`; // listening on a port
  for (const [base, signal] of [
    [url, AbortSignal.timeout(200)],
    [`${other}/cut`, undefined],
    [`${other}/refused`, undefined],
    ["http://127.0.0.1:1", undefined],
  ] as const) {
    const ended = Promise.withResolvers<void>();
    const file = endless(ended.resolve);
    const call = createClient(base).tools.fileHash.mutate({ file }, { ...(signal && { signal }) });
    await expect(call).rejects.toThrow();
    await ended.promise;
  }
  refusing.closeAllConnections();
  refusing.close();
});

/** The length of the body that a call with this file sends. */
async function bytesSent(file: Blob): Promise<number> {
  let length = 0;
  const fetch = async (_: unknown, init?: RequestInit) => {
    length = (await new Response(init?.body ?? null).bytes()).length;
    return new Response();
  };
  await createClient(url, { fetch })
    .tools.fileHash.mutate({ file })
    .catch(() => undefined);
  return length;
}

// Deno 2.9 has such a file in memory, and a change cannot break it.
test.each([7, 3_000_000])(
  "says so of a file of %i bytes that has changed since it was chosen, or sends it as it was",
  async (size) => {
    const path = join(makeTempFolder(), "a.bin");
    writeFileSync(path, new Uint8Array(size));
    const file = await openAsBlob(path);
    expect(file.size).toBe(size);
    writeFileSync(path, "other");
    const read = await file.bytes().catch(() => undefined);
    if (read?.length === size) return expect(await bytesSent(file)).toBeGreaterThan(size);
    const error: unknown = await createClient(url)
      .tools.fileHash.mutate({ file })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ cause: { name: "NotReadableError" } });
    expect(String(error)).toContain("The given file or stream failed");
    expect(notHushkitOf(error)).toBeUndefined();
  },
);
