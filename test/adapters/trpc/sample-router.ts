import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import {
  bytes,
  byteStream,
  ByteStream,
  bytesTransformer,
  createTrpcServer,
  type AdapterMeta,
  type TrpcServerOptions,
} from "../../../adapters/trpc/index.ts";

/** What nobody but the operator may see. */
export const HIDDEN = "password of the database: hunter2";

const t = initTRPC
  .context<{ address: string | undefined }>()
  .meta<AdapterMeta>()
  .create({ transformer: bytesTransformer });

/** A router with everything that the adapter has to carry. */
export const sampleRouter = t.router({
  nothing: t.procedure.query(() => "nothing was sent"),
  maybe: t.procedure.input(z.string().optional()).query(({ input }) => input ?? "undefined"),
  maybeWrite: t.procedure.input(z.number().optional()).mutation(({ input }) => input),
  numbers: t.procedure
    .meta({
      openapi: { method: "GET", path: "/numbers" },
      http: { body: "none", result: "json", lists: "comma" },
    })
    .input(
      z.object({
        of: z.array(z.string()),
        twice: z.boolean().default(false),
        step: z.int().max(9).default(1),
      }),
    )
    .output(z.object({ of: z.array(z.string()), twice: z.boolean(), step: z.int() }))
    .query(({ input }) => input),
  save: t.procedure
    .meta({ openapi: { method: "POST", path: "/save/{id}" } })
    .input(z.object({ id: z.string(), about: z.object({ name: z.string().max(10) }) }))
    .output(z.object({ id: z.string(), name: z.string() }))
    .mutation(({ input: { id, about } }) => ({ id, name: about.name })),
  join: t.procedure
    .meta({ openapi: { method: "POST", path: "/join" }, http: { body: "files", result: "file" } })
    .input(
      z.object({
        files: z.array(
          z.object({ name: z.string().optional(), data: bytes(), times: z.string().optional() }),
        ),
        separator: z.string().default(""),
      }),
    )
    .output(z.object({ data: bytes(), name: z.string(), type: z.string() }))
    .mutation(({ input: { files, separator } }) => {
      const texts = files.map(({ data, times = "1" }) =>
        new TextDecoder().decode(data).repeat(Number(times)),
      );
      return {
        data: new TextEncoder().encode(texts.join(separator)),
        name: "joined.txt",
        type: "text/plain",
      };
    }),
  streamed: t.procedure
    .meta({ openapi: { method: "GET", path: "/streamed" }, http: { body: "none", result: "file" } })
    .input(z.object({ pieces: z.int().max(1000) }))
    .output(z.object({ data: byteStream() }))
    .query(({ input: { pieces } }) => ({ data: new ByteStream(count(pieces)) })),
  double: t.procedure
    .input(z.object({ data: bytes() }))
    .output(z.object({ data: bytes() }))
    .mutation(({ input: { data } }) => ({ data: new Uint8Array([...data, ...data]) })),
  form: t.procedure.input(z.instanceof(FormData)).mutation(async ({ input }) => {
    const file = input.get("file");
    return { name: input.get("name"), size: file instanceof File ? file.size : -1 };
  }),
  octets: t.procedure
    .input(z.instanceof(ReadableStream<Uint8Array>))
    .mutation(async ({ input }) => (await new Response(input).arrayBuffer()).byteLength),
  refuse: t.procedure
    .meta({ openapi: { method: "GET", path: "/refuse" } })
    .output(z.object({}))
    .query((): Record<string, never> => {
      throw new TRPCError({ code: "CONFLICT", message: "It is there already" });
    }),
  fail: t.procedure
    .meta({ openapi: { method: "GET", path: "/fail" } })
    .output(z.object({}))
    .query((): Record<string, never> => {
      throw new Error(HIDDEN);
    }),
});

async function* count(pieces: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let i = 0; i < pieces; i++) yield new Uint8Array(1000).fill(i);
}

/** The router served, with what its `onError` was told. */
export function serveSample(options: Partial<TrpcServerOptions<typeof sampleRouter>> = {}) {
  const errors: unknown[] = [];
  const server = createTrpcServer({
    router: sampleRouter,
    createContext: ({ address }) => ({ address }),
    rpcPath: "/rpc",
    openApi: { path: "/openapi.json", info: { title: "Sample", version: "1" } },
    cors: true,
    onError: (error) => void errors.push(error),
    ...options,
  });
  const request = (path: string, init?: RequestInit) =>
    server.fetch(new Request(`http://sample.test${path}`, init));
  return { errors, request };
}
