// Files in frames keep what they are, and each procedure gets the class that its schema asks for, as from tRPC's caller.
import { openAsBlob, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTRPCClient, httpBatchLink, splitLink } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { bytes, createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";
import { frameLink, hasBytes } from "../../../client/frame-link.ts";
import { ByteStream } from "../../../wire/byte-pieces.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";

const describeFile = async (file: Blob) => ({
  name: "name" in file ? file.name : undefined,
  type: file.type,
  text: await file.text(),
});

const t = initTRPC.meta<AdapterMeta>().create();
const either = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("upload"), file: z.file() }),
  z.object({ kind: z.literal("address"), url: z.url() }),
]);
const router = t.router({
  photo: t.procedure
    .input(z.object({ file: z.file(), width: z.number() }))
    .mutation(async ({ input }) => ({ ...(await describeFile(input.file)), width: input.width })),
  named: t.procedure
    .input(z.object({ file: z.instanceof(File).optional() }))
    .mutation(({ input }) => input.file && describeFile(input.file)),
  loose: t.procedure
    .input(z.object({ file: z.instanceof(Blob) }))
    .mutation(({ input }) => describeFile(input.file)),
  several: t.procedure
    .input(z.object({ files: z.array(z.file()).max(3) }))
    .mutation(({ input }) => Promise.all(input.files.map(describeFile))),
  either: t.procedure
    .input(either)
    .mutation(async ({ input }) => (input.kind === "upload" ? describeFile(input.file) : input.url)),
  unknown: t.procedure
    .input((value) => value as { file: File })
    .mutation(({ input }) => describeFile(input.file)),
  piped: t.procedure
    .input(z.object({ file: z.instanceof(ReadableStream) }))
    .mutation(({ input }) => new Response(input.file as ReadableStream<Uint8Array<ArrayBuffer>>).text()),
  counted: t.procedure.input(z.object({ data: bytes() })).mutation(({ input }) => input.data.length),
  download: t.procedure
    .input(z.object({ name: z.string() }))
    .query(({ input }) => new File(["abc"], input.name, { type: "text/csv" })),
  parts: t.procedure.query(() => ({
    cover: new Blob(["first"], { type: "image/png" }),
    pages: [new File(["second"], "2.txt"), new Uint8Array([3])],
  })),
  stream: t.procedure.query(() => new Blob(["abc"]).stream()),
  streamIn: t.procedure.query(() => ({ name: "a.txt", data: new Blob(["abc"]).stream() })),
  response: t.procedure.query(() => new Response("abc", { headers: { "x-own": "1" } })),
  nothing: t.procedure.query(() => new Response(null, { status: 204 })),
  failing: t.procedure.query(
    () => new ReadableStream({ pull: (controller) => controller.error(new Error("no more")) }),
  ),
});

const data = new TextEncoder().encode("abc");

const transformed = initTRPC.create({ transformer: superjson });
const datedRouter = transformed.router({
  dated: transformed.procedure
    .input(z.object({ file: z.file(), at: z.date() }))
    .mutation(({ input }) => ({ file: input.file, at: input.at })),
});

const servers = {
  plain: createTrpcServer({ router, createContext: () => ({}), onWarning: () => {} }),
  dated: createTrpcServer({ router: datedRouter, createContext: () => ({}), onWarning: () => {} }),
};
/** Takes what either kind of link gives its fetch. */
const through = (name: keyof typeof servers) => (address: RequestInfo | URL, init?: object) =>
  Promise.resolve(servers[name].fetch(new Request(address, init)));
const url = "http://localhost/trpc";
const client = createTRPCClient<typeof router>({
  links: [
    splitLink({
      condition: ({ input, type }) => hasBytes(input) || type === "query",
      true: frameLink({ url, fetch: through("plain") }),
      false: httpBatchLink({ url, fetch: through("plain") }),
    }),
  ],
});
const caller = router.createCaller({});
const note = () => new File(["Grüße\n"], "Grüße an alle.txt", { type: "text/plain" });

describe("a procedure gets from a frame what tRPC's own caller gives it", () => {
  const calls: Record<string, readonly [call: () => Promise<unknown>, own: () => Promise<unknown>]> = {
    "z.file() beside a number": [
      () => client.photo.mutate({ file: note(), width: 3 }),
      () => caller.photo({ file: note(), width: 3 }),
    ],
    "an optional File": [() => client.named.mutate({ file: note() }), () => caller.named({ file: note() })],
    "no File": [() => client.named.mutate({}), () => caller.named({})],
    "a File for a Blob": [() => client.loose.mutate({ file: note() }), () => caller.loose({ file: note() })],
    "a Blob": [
      () => client.loose.mutate({ file: new Blob(["a"], { type: "image/png" }) }),
      () => caller.loose({ file: new Blob(["a"], { type: "image/png" }) }),
    ],
    "an empty File": [
      () => client.loose.mutate({ file: new File([], "") }),
      () => caller.loose({ file: new File([], "") }),
    ],
    "a list of files": [
      () => client.several.mutate({ files: [note(), new File(["b"], "b")] }),
      () => caller.several({ files: [note(), new File(["b"], "b")] }),
    ],
    "an arm of a union": [
      () => client.either.mutate({ kind: "upload", file: note() }),
      () => caller.either({ kind: "upload", file: note() }),
    ],
    "a parser that is a function": [
      () => client.unknown.mutate({ file: note() }),
      () => caller.unknown({ file: note() }),
    ],
    "a ReadableStream": [
      () => client.piped.mutate({ file: note().stream() }),
      () => caller.piped({ file: note().stream() }),
    ],
    bytes: [
      () => client.counted.mutate({ data: new Uint8Array(5) }),
      () => caller.counted({ data: new Uint8Array(5) }),
    ],
  };
  test.each(Object.entries(calls))("%s", async (_, [call, own]) => {
    expect(await call()).toEqual(await own());
  });
});

test("a Blob of a file on the disk is sent whole", async () => {
  const path = join(makeTempFolder(), "a.txt");
  writeFileSync(path, "on the disk");
  const [file, part] = [await openAsBlob(path), (await openAsBlob(path)).slice(3, 6)];
  expect(await client.loose.mutate({ file })).toMatchObject({ text: "on the disk" });
  expect(await client.loose.mutate({ file: part })).toMatchObject({ text: "the" });
});

test("a Blob is taken for bytes, and for a ReadableStream", async () => {
  expect(await client.counted.mutate({ data: note() })).toBe(note().size);
  expect(await client.piped.mutate({ file: note() as unknown as ReadableStream })).toBe("Grüße\n");
});

test("a file in a result is a File with its name and type, and a Blob a Blob", async () => {
  const file = await client.download.query({ name: "März.csv" });
  expect(file).toBeInstanceOf(File);
  expect(await describeFile(file as unknown as File)).toEqual({
    name: "März.csv",
    type: "text/csv",
    text: "abc",
  });
  const { cover, pages } = await client.parts.query();
  expect(await describeFile(cover as unknown as Blob)).toEqual({
    name: undefined,
    type: "image/png",
    text: "first",
  });
  const [second, third] = pages;
  expect(await describeFile(second as unknown as File)).toEqual({ name: "2.txt", type: "", text: "second" });
  expect(third).toEqual(new Uint8Array([3]));
});

test("a transformer carries the rest beside a file", async () => {
  const dated = createTRPCClient<typeof datedRouter>({
    links: [frameLink({ url, fetch: through("dated"), transformer: superjson })],
  });
  const { file, at } = await dated.dated.mutate({ file: note(), at: new Date(0) });
  expect(at).toEqual(new Date(0));
  expect(await describeFile(file)).toEqual(await describeFile(note()));
});

test("areFilesPlain sends neither name nor type", async () => {
  const bodies: Uint8Array[] = [];
  const watched: typeof fetch = async (address, init) => {
    const request = new Request(address, init);
    bodies.push(new Uint8Array(await request.clone().arrayBuffer()));
    return servers.plain.fetch(request);
  };
  const plain = createTRPCClient<typeof router>({
    links: [frameLink({ url, fetch: watched, areFilesPlain: true })],
  });
  expect(await plain.counted.mutate({ data: note() })).toBe(note().size);
  const sent = new TextDecoder().decode(bodies[0]);
  expect(sent).not.toContain("alle.txt");
  expect(sent).not.toContain("text/plain");
});

test.each([
  ["no type", { name: "a" }],
  ["a name that is no text", { name: 1, type: "" }],
  ["more than both", { name: "a", type: "", size: 1 }],
  ["a list", ["a"]],
  ["null", null],
])("a frame whose file has %s is refused", async (_, label) => {
  const head = new TextEncoder().encode(JSON.stringify({ file: { $bytes: [0, 1, label] }, width: 1 }));
  const frame = new Uint8Array(4 + head.length + 1);
  new DataView(frame.buffer).setUint32(0, head.length);
  frame.set(head, 4);
  const call = { method: "POST", headers: { "content-type": FRAME_TYPE }, body: frame };
  const answer = await servers.plain.fetch(new Request(`${url}/photo`, call));
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("The body is not the input of a call");
});

describe("a stream in a result, and the body of a Response, are bytes at the other end", () => {
  test.each([
    ["stream", data],
    ["streamIn", { name: "a.txt", data }],
    ["response", data],
    ["nothing", new Uint8Array()],
  ] as const)("%s", async (name, expected) => {
    expect(await client[name].query()).toEqual(expected);
  });

  test.each(["stream", "response"] as const)(
    "%s as it arrives, where its reader wants that",
    async (name) => {
      const link = frameLink({ url, fetch: through("plain"), streamed: [name] });
      const streaming = createTRPCClient<typeof router>({ links: [link] });
      const arriving = (await streaming[name].query()) as unknown as ByteStream;
      expect(arriving).toBeInstanceOf(ByteStream);
      expect(await arriving.bytes()).toEqual(data);
    },
  );

  test("a stream that fails on the way is an error", async () => {
    await expect(client.failing.query()).rejects.toThrow();
  });
});
