import type { Pages } from "./pages/files.ts";
import { isPageRequest, notFoundPage } from "./pages/routes.ts";
import { endpoints } from "./endpoints.ts";
import { notFound, unknownTool } from "./errors/http-errors.ts";
import type { ServiceRoute } from "./route.ts";

const TOOLS = endpoints.flatMap(({ tool }) => (tool ? [tool.name] : []));

/** Every path that no other route has: a page for people, an error for programs. */
export function unknownPath(pages: Pages): ServiceRoute {
  return {
    method: "*",
    path: "/**",
    label: "(none)",
    isTool: isToolPath,
    handle: (context) => {
      if (isPageRequest(context)) return notFoundPage(context, pages);
      throw isToolPath(context.url) ? unknownTool(TOOLS) : notFound();
    },
  };
}

function isToolPath({ pathname }: URL): boolean {
  return /^\/api\/tools(\/|$)/i.test(pathname);
}
