import type { Services } from "../../router/context.ts";
import { healthRoutes, type Health } from "../operations/health.ts";
import type { Adapter } from "../trpc/adapter.ts";
import { documentRoute } from "../trpc/openapi/route.ts";
import { routesOf } from "../trpc/rest/routes.ts";
import { calledProcedures } from "../trpc/rpc/call.ts";
import { rpcRoutes } from "../trpc/rpc/routes.ts";
import { endpoints } from "./endpoints.ts";
import { makeServiceDocument } from "./openapi/service-document.ts";
import { pageRoutes } from "./pages/routes.ts";
import type { Pages } from "./pages/files.ts";
import type { ServiceRoute } from "./route.ts";
import { unknownPath } from "./unknown-path.ts";

/** Everything that the service answers. */
export function serviceRoutes(
  { health, pages, services }: { health: Health; pages: Pages; services: Services },
  adapter: Adapter,
): ServiceRoute[] {
  return [
    ...restRoutes(adapter), // the file tools, the secrets, the account
    ...typedRoutes(adapter), // the same procedures, typed
    ...healthRoutes(health),
    { ...documentRoute("/api/openapi.json", () => makeServiceDocument(services.publicUrl)), cors: true },
    ...pageRoutes(pages),
    unknownPath(pages),
  ];
}

function restRoutes(adapter: Adapter): ServiceRoute[] {
  return endpoints.flatMap((endpoint) => {
    const about = {
      cors: !endpoint.http.ownPagesOnly,
      isTool: endpoint.openapi.path.startsWith("/api/tools"),
    };
    return routesOf(endpoint, adapter).map((route) => ({ ...route, ...about }));
  });
}

const OWN_PAGES_ONLY = new Set(endpoints.filter(({ http }) => http.ownPagesOnly).map(({ rpc }) => rpc));

function typedRoutes(adapter: Adapter): ServiceRoute[] {
  const called = (url: URL) => calledProcedures(url, adapter.rpcPath);
  return rpcRoutes(adapter).map((route) => ({
    ...route,
    isTool: (url) => called(url).some((path) => path.startsWith("tools.")),
    cors: (url) => !called(url).some((path) => OWN_PAGES_ONLY.has(path)),
  }));
}
