import { packedFile, sendPacked, type PackedFile } from "../answer/compressed.ts";
import type { Route } from "../request.ts";
import type { Document } from "./types.ts";

/** The OpenAPI document at a path, written when it is first asked for. */
export function documentRoute(path: string, write: () => Document | Promise<Document>): Route {
  let file: Promise<PackedFile> | undefined;
  const pack = async () => packedFile(new TextEncoder().encode(JSON.stringify(await write())));
  return {
    method: "GET",
    path,
    handle: async (context) => {
      file ??= pack();
      const headers = new Headers(context.responseHeaders);
      headers.set("Content-Type", "application/json; charset=utf-8");
      return sendPacked(context, { file: await file, headers });
    },
  };
}
