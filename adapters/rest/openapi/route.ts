import { FastResponse } from "srvx";
import { baseHeaders } from "../../http/request-context.ts";
import type { Route } from "../../http/route.ts";
import { makeDocument } from "./document.ts";

/** The OpenAPI document, written when it is first asked for. */
export function openApiRoute(publicUrl: string): Route {
  let text: string | undefined;
  return {
    method: "GET",
    path: "/api/openapi.json",
    cors: true,
    handle: (context) => {
      text ??= JSON.stringify(makeDocument(publicUrl));
      const headers = baseHeaders(context);
      headers.set("Content-Type", "application/json; charset=utf-8");
      return new FastResponse(text, { headers });
    },
  };
}
