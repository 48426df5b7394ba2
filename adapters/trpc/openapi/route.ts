import { packedFile, sendPacked, type PackedFile } from "../answer/packed-file.ts";
import { baseHeaders } from "../../service/request-context.ts";
import type { Route } from "../route.ts";
import { makeDocument } from "./document.ts";

/** The OpenAPI document, written when it is first asked for. */
export function openApiRoute(): Route {
  let file: PackedFile | undefined;
  return {
    method: "GET",
    path: "/api/openapi.json",
    cors: true,
    handle: (context) => {
      const { publicUrl } = context.trpcContext.services;
      file ??= packedFile(new TextEncoder().encode(JSON.stringify(makeDocument(publicUrl))));
      const headers = baseHeaders(context);
      headers.set("Content-Type", "application/json; charset=utf-8");
      return sendPacked(context, { file, headers });
    },
  };
}
