// oRPC 1, by itself and over a router of tRPC. This file is copied to where its packages are installed.
import { SmartCoercionPlugin } from "@orpc/json-schema";
import { OpenAPIHandler } from "@orpc/openapi/fetch";
import { os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/fetch";
import { toORPCRouter } from "@orpc/trpc";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";

const VERSION = "1.15.0";

export function createContenders({ makeSchemas, makeStream, procedures, makeRouter, z }) {
  const own = ownRouter({ schemas: makeSchemas(), makeStream, procedures, z });
  return [
    contender(`@orpc/trpc ${VERSION}`, toORPCRouter(makeRouter())),
    contender(`oRPC ${VERSION}, its own router`, own),
  ];
}

function contender(name, router) {
  const plugins = [new SmartCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] })];
  const [rest, rpc] = [new OpenAPIHandler(router, { plugins }), new RPCHandler(router)];
  const fetch = async (request) => {
    const isRpc = request.url.includes("/rpc/");
    const { response } = await (isRpc
      ? rpc.handle(request, { prefix: "/rpc", context: {} })
      : rest.handle(request, { context: {} }));
    return response ?? new Response(null, { status: 404 });
  };
  return {
    name,
    fetch,
    list: "tags[]",
    isRest: true,
    rpc: "orpc",
    uploads: { Blob: "/file" },
    downloads: { Blob: "/download" },
  };
}

function ownRouter({ schemas, makeStream, procedures, z }) {
  const { search, found, order, ordered, rows, kept, size } = schemas;
  const at = (method, path) => os.route({ method, path });
  return {
    search: at("GET", "/search")
      .input(search)
      .output(found)
      .handler(({ input }) => procedures.search(input)),
    order: at("POST", "/order")
      .input(order)
      .output(ordered)
      .handler(({ input }) => procedures.order(input)),
    keep: at("POST", "/keep")
      .input(rows)
      .output(kept)
      .handler(({ input }) => procedures.keep(input)),
    file: at("POST", "/file")
      .input(z.instanceof(Blob))
      .output(size)
      .handler(({ input }) => procedures.count(input.stream())),
    download: at("GET", "/download")
      .input(z.object({ bytes: z.int() }))
      .output(z.instanceof(Blob))
      .handler(({ input }) => new Response(makeStream(input.bytes)).blob()),
  };
}
