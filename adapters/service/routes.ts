import type { Services } from "../../router/context.ts";
import { ApiError } from "../../router/errors/errors.ts";
import { isOffered, unknownTool } from "../../router/policy/identify.ts";
import { healthRoutes, type Health } from "../operations/health.ts";
import type { ServiceAdapter } from "./adapter.ts";
import { documentRoute } from "../trpc/openapi/document.ts";
import { routesOf } from "../trpc/rest/routes.ts";
import { calledProcedures } from "../trpc/rpc/answers.ts";
import { rpcRoutes } from "../trpc/rpc/routes.ts";
import { SECRET_HEADERS } from "./body-kinds/body-kinds.ts";
import { instanceRoutes, type Logo } from "./pages/instance.ts";
import { oidcRoutes, type OrganizationLogin } from "./login/oidc-routes.ts";
import { pageRoutes, showMissing } from "./pages/routes.ts";
import type { Pages } from "./pages/files.ts";
import type { ServiceRoute } from "./request-context.ts";

/** All routes of the service. */
export function serviceRoutes(
  {
    health,
    pages,
    services,
    logo,
    isIndexed,
    organization,
  }: {
    health: Health;
    pages: Pages;
    services: Services;
    logo?: Logo | undefined;
    /** Whether search engines may list the pages. */
    isIndexed?: boolean;
    organization?: OrganizationLogin | undefined;
  },
  adapter: ServiceAdapter,
): ServiceRoute[] {
  return [
    ...restRoutes(adapter, services), // the file tools, the secrets, the account
    ...typedRoutes(adapter), // the same procedures, typed
    ...healthRoutes(health),
    { ...documentRoute("/api/openapi.json", () => writeDocument(services)), cors: true },
    ...instanceRoutes(services, logo),
    ...(organization ? oidcRoutes(organization, services) : []),
    ...pageRoutes(pages, { tools: services.tools, isIndexed }),
    unknownPath(pages, services),
  ];
}

// The modules that write it are a fifth of all, so they are loaded on demand.
async function writeDocument(services: Services) {
  const { makeServiceDocument } = await import("./openapi/service-document.ts");
  return makeServiceDocument(services);
}

/** For callers who follow the Location of what they created: reading it takes a key, which must not be in a URL. */
const INSTEAD: Readonly<Record<string, string>> = {
  "/api/secrets/{id}":
    "a text is read by POST /api/secrets/{id}/reveal and a file by POST /api/secrets/{id}/file, with its key, " +
    "and POST /api/secrets/{id}/status tells where it stands, with key or revokeToken",
  "/api/requests/{id}":
    "the answer is collected by POST /api/requests/{id}/collect, and POST /api/requests/{id}/status tells where it " +
    "stands, with collectToken",
};

function restRoutes(adapter: ServiceAdapter, services: Services): ServiceRoute[] {
  const served = adapter.endpoints.filter(({ meta }) => isOffered(meta, services));
  return served.flatMap((endpoint) => {
    const instead = INSTEAD[endpoint.openapi.path];
    const about = {
      ...(instead !== undefined && { instead }),
      cors: !endpoint.http.ownPagesOnly,
      isTool: endpoint.openapi.path.startsWith("/api/tools"),
    };
    return routesOf(endpoint).map((route) => ({ ...route, ...about }));
  });
}

function typedRoutes(adapter: ServiceAdapter): ServiceRoute[] {
  const called = (url: URL) => calledProcedures(url, adapter);
  const isOwn = (path: string) => adapter.procedures[path]?.http.ownPagesOnly;
  return rpcRoutes(adapter).map((route) => ({
    ...route,
    handle: (context, params) => {
      refuseRestHeaders(context.request);
      return route.handle(context, params);
    },
    isTool: (url) => called(url).some((path) => path.startsWith("tools.")),
    cors: (url) => !called(url).some(isOwn),
  }));
}

const REST_HEADERS = Object.entries({
  ...SECRET_HEADERS,
  passphrase: "Secret-Passphrase",
  ticket: "Secret-Ticket",
});

// A typed call takes all of its parameters as input: passed over, a passphrase in a header would protect nothing.
function refuseRestHeaders({ headers }: Request): void {
  for (const [parameter, header] of REST_HEADERS) {
    if (!headers.has(header)) continue;
    const error = `Parameter "${parameter}" belongs in the input of a typed call; only REST takes the header ${header}`;
    throw new ApiError("invalid_parameter", error, { parameter, in: "header" });
  }
}

/** Every other path: a page for people, an error for programs. */
function unknownPath(pages: Pages, { tools }: Pick<Services, "tools">): ServiceRoute {
  return {
    method: "*",
    path: "/**",
    label: "(none)",
    isTool: isToolPath,
    cors: isApiPath,
    handle: (context) => {
      if (isToolPath(context.url)) throw unknownTool([...tools]);
      return showMissing(context, pages);
    },
  };
}

/** The paths that pages of other origins may call; accounts are for this service's own pages. */
export function isApiPath({ pathname }: URL): boolean {
  return /^\/(api|trpc)(\/|$)/i.test(pathname) && !/^\/api\/(account|users|admin)(\/|$)/i.test(pathname);
}

function isToolPath({ pathname }: URL): boolean {
  return /^\/api\/tools(\/|$)/i.test(pathname);
}
