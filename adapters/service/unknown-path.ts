import type { Services } from "../../router/context.ts";
import type { Pages } from "./pages/files.ts";
import { isPageRequest, notFoundPage } from "./pages/routes.ts";
import { unknownTool } from "../../router/policy/access.ts";
import { notFound } from "./errors/http-errors.ts";
import type { ServiceRoute } from "./route.ts";

/** Every path that no other route has: a page for people, an error for programs. */
export function unknownPath(pages: Pages, { tools }: Pick<Services, "tools">): ServiceRoute {
  return {
    method: "*",
    path: "/**",
    label: "(none)",
    isTool: isToolPath,
    handle: (context) => {
      if (isPageRequest(context)) return notFoundPage(context, pages);
      throw isToolPath(context.url) ? unknownTool([...tools]) : notFound();
    },
  };
}

function isToolPath({ pathname }: URL): boolean {
  return /^\/api\/tools(\/|$)/i.test(pathname);
}
