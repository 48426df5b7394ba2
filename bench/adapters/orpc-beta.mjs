// The beta of oRPC 2, by itself. This file is copied to where its packages are installed.
import { SmartCoercionHandlerPlugin } from "@orpc/json-schema";
import { openapi } from "@orpc/openapi";
import { OpenAPIHandler } from "@orpc/openapi/fetch";
import { os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/fetch";

export function createContenders({ makeSchemas, makeStream, procedures, z }) {
  const router = ownRouter({ schemas: makeSchemas(), makeStream, procedures, z });
  const plugins = [new SmartCoercionHandlerPlugin()];
  const [rest, rpc] = [
    new OpenAPIHandler(router, { plugins }),
    new RPCHandler(router, { csrfGuardHandlerPlugin: { enabled: false } }),
  ];
  const fetch = async (request) => {
    const isRpc = request.url.includes("/rpc/");
    const { response } = await (isRpc
      ? rpc.handle(request, { prefix: "/rpc", context: {} })
      : rest.handle(request, { context: {} }));
    return response ?? new Response(null, { status: 404 });
  };
  return [
    {
      name: "oRPC 2.0.0-beta.16, its own router",
      fetch,
      list: "tags[]",
      isRest: true,
      rpc: "orpc",
      uploads: { stream: "/stream" },
      downloads: { stream: "/download" },
    },
  ];
}

function ownRouter({ schemas, makeStream, procedures, z }) {
  const { search, found, order, ordered, rows, kept, size } = schemas;
  const at = (method, path, requestBodyHint) => os.meta(openapi({ method, path, requestBodyHint }));
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
    stream: at("POST", "/stream", "octet-stream")
      .input(z.instanceof(ReadableStream))
      .output(size)
      .handler(({ input }) => procedures.count(input)),
    download: at("GET", "/download")
      .input(z.object({ bytes: z.int() }))
      .handler(({ input }) => makeStream(input.bytes)),
  };
}
