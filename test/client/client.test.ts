import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { expect, test } from "vitest";
import { createClient, failureOf, type ClientOptions } from "../../client/client.ts";
import type { AppRouter } from "../../router/app.ts";
import type { Progress, ProgressContext } from "../../client/call-context.ts";
import type { ByteStream } from "../../wire/byte-pieces.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { ORIGIN } from "../support/harness.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { PAUSES_MS, skipPauses } from "../support/skip-pauses.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();

/** A client of the service, and the requests that it sent. */
function connect(options: ClientOptions = {}) {
  const sent: RequestInit[] = [];
  const send: typeof fetch = (input, init) => {
    sent.push({ ...init });
    return service.request(String(input).slice(ORIGIN.length), init);
  };
  return { client: createClient(ORIGIN, { fetch: send, ...options }), sent };
}

test("calls a query without options with no input", async () => {
  const { tools } = await connect().client.tools.catalogue.query();
  expect(tools.map(({ name }) => name)).toContain("pdf-rotate");
});

test("sends the headers that it is given, asked for anew with every request, and the token", async () => {
  let asked = 0;
  const headers = async () => ({ traceparent: `00-${++asked}` });
  const { client, sent } = connect({ headers, credentials: "include" });
  await client.tools.password.mutate({});
  await client.tools.pdfRotate.mutate({ file: await makeBlankPdf() });
  expect(sent.map((init) => new Headers(init.headers).get("traceparent"))).toEqual(["00-1", "00-2"]);
  expect(sent.map(({ credentials }) => credentials)).toEqual(["include", "include"]);

  const refused = await connect({ token: "service_token_none" })
    .client.tools.password.mutate({})
    .catch(failureOf);
  expect(refused).toMatchObject({ code: "invalid_token", status: 401 });
});

test("sends headers of any shape and spelling with every kind of call, and its own token", async () => {
  for (const headers of [new Headers({ "X-Trace": "1" }), { "X-Trace": "1" }]) {
    const { client, sent } = connect({ token: "service_token_none", headers });
    await client.tools.password.mutate({}).catch(() => undefined);
    await client.tools.fileHash.mutate({ file: new Uint8Array(1) }).catch(() => undefined);
    expect(sent.map((init) => new Headers(init.headers).get("x-trace"))).toEqual(["1", "1"]);
  }
  const { client, sent } = connect({ token: "service_token_none", headers: { Authorization: "Basic YTpi" } });
  await client.tools.password.mutate({}).catch(() => undefined);
  expect(new Headers(sent[0]?.headers).get("authorization")).toBe("Bearer service_token_none");
});

test.each([
  ["a stream of Node's, as of node-fetch", (bytes: Uint8Array) => Readable.from([bytes])],
  ["missing, as in React Native", () => undefined],
])("reads an answer whose body is %s", async (_, bodyOf) => {
  const client = createClient("https://hush.example", {
    fetch: async () => {
      const bytes = new TextEncoder().encode('{"result":{"data":{"tools":[]}}}');
      const response = new Response(bytes, { headers: { "content-type": "application/json" } });
      return Object.defineProperty(response, "body", { value: bodyOf(bytes) });
    },
  });
  expect(await client.tools.catalogue.query()).toMatchObject({ tools: [] });
});

test("leaves nothing on a signal that outlives its calls", async () => {
  const { client } = connect();
  const { signal } = new AbortController();
  await client.tools.password.mutate({}, { signal });
  await client.tools.fileHash.mutate({ file: new Uint8Array(1) }, { signal });
  await expect(client.tools.pdfRotate.mutate({ file: new Uint8Array(1) }, { signal })).rejects.toThrow();
  const reads: ((data: ByteStream) => Promise<unknown>)[] = [
    (data) => data.bytes(),
    async (data) => {
      for await (const _ of data.pieces) break;
    },
    (data) => data.stream().cancel(),
  ];
  for (const read of reads) {
    const { id, key } = await client.secrets.createFile.mutate({ file: new Uint8Array(1e6) }, { signal });
    const { data } = await client.secrets.openFile.mutate({ id, key }, { signal });
    await read(data);
  }
  await expect.poll(() => getEventListeners(signal, "abort").length).toBe(0);
});

test("passes every call through the links that stand before", async () => {
  const paths: string[] = [];
  const noting: TRPCLink<AppRouter> = () => (call) => {
    paths.push(call.op.path);
    return call.next(call.op);
  };
  const { client } = connect({ links: [noting] });
  await client.tools.password.mutate({});
  await client.tools.pdfRotate.mutate({ file: await makeBlankPdf() });
  expect(paths).toEqual(["tools.password", "tools.pdfRotate"]);
});

/** A client on a network that loses some answers to a procedure; the server has done its work. */
function lossy(procedure: string, count: number) {
  let left = count;
  const send: typeof fetch = async (input, init) => {
    const response = await service.request(String(input).slice(ORIGIN.length), init);
    if (!String(input).includes(procedure) || left === 0) return response;
    left--;
    await response.body?.cancel();
    throw new TypeError("fetch failed");
  };
  return createClient(ORIGIN, { fetch: send });
}

test("gets a secret whose answer was lost by asking again, and has it deleted", async () => {
  const client = lossy("secrets.reveal", 2);
  const pauses = skipPauses();
  const { id, key } = await client.secrets.create.mutate({ content: "hush" });
  expect(await client.secrets.reveal.mutate({ id, key })).toMatchObject({ content: "hush" });
  const stored = () =>
    service.db.query.selectFrom("secret_content").select("size").where("secret_id", "=", id).execute();
  await expect.poll(stored).toEqual([]);
  const again = client.secrets.reveal.mutate({ id, key }).catch(failureOf);
  expect(await again).toMatchObject({ code: "secret_gone" });
  expect(pauses).toEqual([500, 2000]);
});

/** A client on a network that cuts the first downloads of a file short. */
function cutting(cuts: readonly number[]) {
  const left = [...cuts];
  const send: typeof fetch = async (input, init) => {
    const response = await service.request(String(input).slice(ORIGIN.length), init);
    const most = String(input).includes("secrets.openFile") ? left.shift() : undefined;
    if (most === undefined) return response;
    return new Response(cutAfter(response.body!, most), response);
  };
  return createClient(ORIGIN, { fetch: send });
}

function cutAfter(stream: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
  let passed = 0;
  return stream.pipeThrough(
    new TransformStream({
      transform(piece: Uint8Array, controller) {
        passed += piece.length;
        if (passed <= most) controller.enqueue(piece);
        else controller.error(new TypeError("terminated"));
      },
    }),
  );
}

test("goes on with a file whose download was cut, and has it deleted when it is whole", async () => {
  const client = cutting([300_000, 100_000]);
  const pauses = skipPauses();
  const file = Uint8Array.from({ length: 700_000 }, (_, i) => i % 251);
  const { id, key } = await client.secrets.createFile.mutate({ file, filename: "a.bin" });
  const opened = await client.secrets.openFile.mutate({ id, key });
  expect(opened).toMatchObject({ name: "a.bin", size: 700_000 });
  expect(Buffer.from(await opened.data.bytes()).equals(file)).toBe(true);
  // A piece has come before each cut.
  expect(pauses).toEqual([500, 500]);
  const stored = () =>
    service.db.query.selectFrom("secret_file").select("size").where("secret_id", "=", id).execute();
  await expect.poll(stored).toEqual([]);
});

test("leaves it to a caller with a ticket of its own to say that it was received", async () => {
  const client = lossy("secrets.reveal", 1);
  skipPauses();
  const { id, key } = await client.secrets.create.mutate({ content: "hush" });
  const ticket = "t".repeat(32);
  for (let i = 0; i < 2; i++)
    expect(await client.secrets.reveal.mutate({ id, key, ticket })).toMatchObject({ content: "hush" });
  expect(await client.secrets.received.mutate({ id, key, ticket })).toEqual({ id, status: "revealed" });
  expect(await client.secrets.reveal.mutate({ id, key, ticket }).catch(failureOf)).toMatchObject({
    status: 410,
  });
});

test("gives up where every answer is lost", async () => {
  const client = lossy("secrets.reveal", 99);
  const pauses = skipPauses();
  const { id, key } = await client.secrets.create.mutate({ content: "hush" });
  const lost = client.secrets.reveal.mutate({ id, key });
  await expect(lost).rejects.toThrow("cannot be reached");
  expect(pauses).toEqual(PAUSES_MS);
});

test("creates once what is sent twice with a key, alone and beside other calls", async () => {
  const client = service.client({ ip: freshIp() });
  const context = { idempotencyKey: crypto.randomUUID() };
  const [first] = await Promise.all([
    client.secrets.create.mutate({ content: "hush" }, { context }),
    client.secrets.create.mutate({ content: "hush" }),
  ]);
  expect(await client.secrets.create.mutate({ content: "hush" }, { context })).toEqual(first);
  const file = new Uint8Array([1, 2, 3]);
  const made = await client.secrets.createFile.mutate({ file }, { context });
  expect(await client.secrets.createFile.mutate({ file }, { context })).toEqual(made);
  const other = client.secrets.create.mutate({ content: "Hush" }, { context });
  expect(failureOf(await other.catch((error: unknown) => error))?.code).toBe("idempotency_mismatch");
});

test("ends a call with its signal, and that is no failure of the server", async () => {
  const ending = new AbortController();
  // As the platform's, on a server that never answers.
  const hanging: typeof fetch = async (_, init) => {
    const left = new Promise((resolve) => init?.signal?.addEventListener("abort", resolve));
    ending.abort();
    await left;
    throw init?.signal?.reason;
  };
  const { client } = connect({ fetch: hanging });
  const file = await makeBlankPdf();
  const call = client.tools.pdfRotate.mutate({ file }, { signal: ending.signal });
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TRPCClientError);
  expect(failureOf(error)).toBeUndefined();
});

test.each([
  ["a timeout", () => AbortSignal.timeout(20)],
  ["a caller who has left", () => AbortSignal.abort()],
  ["an error", () => AbortSignal.abort(new Error("The dialog was closed"))],
])("tells the reason of %s, however the call is sent", async (_, makeSignal) => {
  const { client } = connect({ fetch: () => new Promise(() => {}) });
  for (const send of [
    (signal: AbortSignal) => client.tools.password.mutate({}, { signal }),
    (signal: AbortSignal) => client.tools.catalogue.query(undefined, { signal }),
    (signal: AbortSignal) => client.tools.fileHash.mutate({ file: new Uint8Array(3) }, { signal }),
    (signal: AbortSignal) => client.secrets.openFile.mutate({ id: "i", key: "k" }, { signal }),
  ]) {
    const signal = makeSignal();
    const error: unknown = await send(signal).catch((thrown: unknown) => thrown);
    const reason = signal.reason as Error;
    expect(error).toMatchObject({ name: "TRPCClientError", message: reason.message });
    expect(error).toHaveProperty("cause", reason);
  }
});

test("ends with its signal a call that waits before it is sent again, and no other one of a batch", async () => {
  const ending = new AbortController();
  let calls = 0;
  const { client } = connect({
    fetch: async (input, init) => {
      if (++calls === 1) throw new TypeError("fetch failed");
      return service.request(String(input).slice(ORIGIN.length), init);
    },
  });
  const waiting = client.secrets.reveal.mutate({ id: "i", key: "k" }, { signal: ending.signal });
  setTimeout(() => ending.abort("left"), 50);
  await expect(waiting).rejects.toThrow("The call was aborted");
  expect(calls).toBe(1);

  const batch = [AbortSignal.abort("left"), undefined].map((signal) =>
    client.tools.password.mutate({}, signal ? { signal } : {}),
  );
  const [left, other] = await Promise.allSettled(batch);
  expect([left?.status, other?.status]).toEqual(["rejected", "fulfilled"]);
});

test("says how much of a file has been sent, and of its result received", async () => {
  const file = new Uint8Array(300_000).fill(65);
  const steps: Record<"up" | "down", Progress[]> = { up: [], down: [] };
  const context: ProgressContext = {
    onUploadProgress: (step) => steps.up.push(step),
    onDownloadProgress: (step) => steps.down.push(step),
  };
  const { data } = await connect().client.tools.fileEncrypt.mutate({ file, password: "p" }, { context });
  for (const { loaded, total } of steps.up) expect(loaded).toBeLessThanOrEqual(total ?? 0);
  expect(steps.up.length).toBeGreaterThan(2);
  expect(steps.up.at(-1)?.loaded).toBe(steps.up.at(-1)?.total);
  expect(steps.down.at(-1)?.loaded).toBeGreaterThan(data.length);
});
