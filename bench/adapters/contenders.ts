import { initTRPC } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { octetInputParser } from "@trpc/server/http";
import { Hono } from "hono";
import { validator } from "hono/validator";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createOpenApiFetchHandler } from "trpc-to-openapi";
import { z } from "zod";
import { bytes, createTrpcServer, type AdapterMeta } from "../../adapters/trpc/index.ts";
import { makeSchemas, makeStream, procedures, type Schemas } from "./shop.ts";

const MAX_BYTES = 200_000_000;

/** One way to serve the same procedures. */
export interface Contender {
  readonly name: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** How a list is written in a query: `tags`, or `tags[]`. */
  readonly list?: string;
  /** Whether it has REST. */
  readonly isRest: boolean;
  /** Where its typed calls are, and how they write an input and a result. */
  readonly rpc?: "trpc" | "orpc";
  /** Paths that take a file as the raw body and count its bytes, by what the procedure gets. */
  readonly uploads: Readonly<Record<string, string>>;
  /** The path of a file of `bytes=` bytes, by what the procedure returns. */
  readonly downloads: Readonly<Record<string, string>>;
}

/** What a file of bench/adapters/*.mjs offers, which runs beside the packages that it imports. */
interface Peers {
  readonly createContenders: (of: {
    readonly makeSchemas: () => Schemas;
    readonly makeStream: typeof makeStream;
    readonly procedures: typeof procedures;
    readonly makeRouter: typeof makeRouter;
    readonly z: typeof z;
  }) => Contender[];
}

/** All contenders, ours first; `folders` are those where peers were installed. */
export async function loadContenders(folders: readonly string[]): Promise<Contender[]> {
  const contenders = [createOurs(), createTrpc(), createTrpcToOpenApi(), createHono()];
  for (const folder of folders) {
    // Nothing in package.json names these, so that there are no types of them.
    const { createContenders } = (await import(pathToFileURL(join(folder, "peers.mjs")).href)) as Peers;
    contenders.push(...createContenders({ makeSchemas, makeStream, procedures, makeRouter, z }));
  }
  return contenders;
}

/** The version of a package of this project. */
export function versionOf(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  return version;
}

// `route` is what @orpc/trpc calls `openapi`; trpc-to-openapi takes a type only, not an interface.
type Meta = Pick<AdapterMeta, keyof AdapterMeta> & {
  route?: { method: string; path: string; inputStructure?: "detailed" };
};
const t = initTRPC.meta<Meta>().create();

function at(method: "GET" | "POST", path: `/${string}`) {
  return { openapi: { method, path }, route: { method, path } };
}

function makeRouter() {
  const { search, found, order, ordered, rows, kept } = makeSchemas();
  return t.router({
    search: t.procedure
      .meta(at("GET", "/search"))
      .input(search)
      .output(found)
      .query(({ input }) => procedures.search(input)),
    order: t.procedure
      .meta(at("POST", "/order"))
      .input(order)
      .output(ordered)
      .mutation(({ input }) => procedures.order(input)),
    keep: t.procedure
      .meta(at("POST", "/keep"))
      .input(rows)
      .output(kept)
      .mutation(({ input }) => procedures.keep(input)),
    countFile: countFile(),
    makeFile: makeFile(),
    octets: countOctets(),
  });
}

// Files as @orpc/trpc has them. As the whole input tRPC would copy what it got into a plain object.
function countFile() {
  return t.procedure
    .meta({ route: { method: "POST", path: "/file", inputStructure: "detailed" } })
    .input(z.object({ body: z.instanceof(Blob) }))
    .output(makeSchemas().size)
    .mutation(({ input: { body } }) => procedures.count(body.stream()));
}

function makeFile() {
  return t.procedure
    .meta({ route: { method: "GET", path: "/download" } })
    .input(z.object({ bytes: z.int() }))
    .query(({ input }) => new Response(makeStream(input.bytes)).blob());
}

function countOctets() {
  return t.procedure
    .input(octetInputParser)
    .output(makeSchemas().size)
    .mutation(({ input }) => procedures.count(input));
}

function createOurs(): Contender {
  const { size } = makeSchemas();
  const http = { body: "file", result: "json" };
  const files = t.router({
    stream: t.procedure
      .meta({ ...at("POST", "/stream"), http })
      .input(z.object({ file: z.instanceof(ReadableStream<Uint8Array>) }))
      .output(size)
      .mutation(({ input: { file } }) => procedures.count(file)),
    bytes: t.procedure
      .meta({ ...at("POST", "/bytes"), http })
      .input(z.object({ file: bytes() }))
      .output(size)
      .mutation(({ input: { file } }) => ({ size: file.length })),
    download: t.procedure
      .meta({ ...at("GET", "/download"), http: { body: "none", result: "file" } })
      .input(z.object({ bytes: z.int() }))
      .query(({ input }) => makeStream(input.bytes)),
  });
  const { fetch } = createTrpcServer({
    router: t.mergeRouters(makeRouter(), files),
    createContext: () => ({}),
    maxBodyBytes: MAX_BYTES,
    onWarning: () => {},
  });
  return {
    name: "@hushkit/trpc",
    fetch,
    isRest: true,
    rpc: "trpc",
    uploads: { stream: "/stream", bytes: "/bytes" },
    downloads: { stream: "/download" },
  };
}

function createTrpc(): Contender {
  const router = makeRouter();
  const fetch = (req: Request) => fetchRequestHandler({ endpoint: "/trpc", router, req });
  return {
    name: `tRPC ${versionOf("@trpc/server")}, fetchRequestHandler`,
    fetch,
    isRest: false,
    rpc: "trpc",
    uploads: { stream: "/trpc/octets" },
    downloads: {},
  };
}

function createTrpcToOpenApi(): Contender {
  const router = makeRouter();
  // It takes its endpoint out of the URL, where there is one.
  const fetch = (req: Request) => createOpenApiFetchHandler({ endpoint: "/none", router, req });
  return {
    name: `trpc-to-openapi ${versionOf("trpc-to-openapi")}`,
    fetch,
    isRest: true,
    uploads: {},
    downloads: {},
  };
}

function createHono(): Contender {
  const { order, ordered, rows, kept, found, search: typed } = makeSchemas();
  // Texts of a query are all that it reads by itself.
  const search = typed.extend({
    limit: z.coerce.number().pipe(typed.shape.limit),
    exact: z.stringbool(),
  });
  const app = new Hono()
    .get(
      "/search",
      validator("query", (value) => search.parse(value)),
      (c) => c.json(found.parse(procedures.search(c.req.valid("query")))),
    )
    .post(
      "/order",
      validator("json", (value) => order.parse(value)),
      (c) => c.json(ordered.parse(procedures.order(c.req.valid("json")))),
    )
    .post(
      "/keep",
      validator("json", (value) => rows.parse(value)),
      (c) => c.json(kept.parse(procedures.keep(c.req.valid("json")))),
    )
    .post("/stream", async (c) => c.json(await procedures.count(c.req.raw.body ?? makeStream(0))))
    .post("/bytes", async (c) => c.json({ size: (await c.req.arrayBuffer()).byteLength }))
    .get("/download", (c) => c.body(makeStream(Number(c.req.query("bytes")))));
  return {
    name: `Hono ${versionOf("hono")} with zod`,
    fetch: async (request) => app.fetch(request),
    isRest: true,
    uploads: { stream: "/stream", bytes: "/bytes" },
    downloads: { stream: "/download" },
  };
}
