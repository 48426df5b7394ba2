// Calls a router in a process that lacks what Next's edge runtime lacks, and prints what came.
import { initTRPC } from "@trpc/server";
import { z } from "zod";
import type { AdapterMeta } from "../../../adapters/trpc/index.ts";

let asked = 0;
function refuse(): never {
  asked++;
  throw new Error("A Node.js API is used which is not supported in the Edge Runtime");
}
process.getBuiltinModule = refuse;
Object.assign(globalThis, { EdgeRuntime: "edge-runtime", setImmediate: refuse });
Reflect.deleteProperty(AbortSignal, "any");

const { bytes, createTrpcServer } = await import("../../../adapters/trpc/index.ts");
const { hashFile } = await import("../../../tools/entries/hash.ts");

const t = initTRPC.meta<AdapterMeta>().create();
const { fetch } = createTrpcServer({
  router: t.router({
    digest: t.procedure
      .meta({ openapi: { method: "POST", path: "/digest" }, http: { body: "file", compressed: true } })
      .input(z.object({ file: bytes() }))
      .mutation(async ({ input: { file } }) => ({
        ...(await hashFile(file)).digests,
        long: "x".repeat(1000),
      })),
    hello: t.procedure.input(z.string().optional()).query(() => "hello"),
  }),
  createContext: () => ({}),
});

const packed = new Blob(["abc"]).stream().pipeThrough(new CompressionStream("gzip"));
const body = await new Response(packed).arrayBuffer();
const headers = { "content-encoding": "gzip", "accept-encoding": "br, gzip" };
const answer = await fetch(new Request("http://any.test/digest", { method: "POST", headers, body }));
const plain = new Response(answer.body?.pipeThrough(new DecompressionStream("gzip")));
const { sha256 } = Object((await plain.json()) as unknown);

const lines = { "trpc-accept": "application/jsonl" };
const batch = new Request("http://any.test/trpc/hello,hello?batch=1", { headers: lines });
const text = await (await fetch(batch)).text();
console.log(JSON.stringify({ sha256, hellos: text.match(/"hello"/g)?.length, wasAsked: asked > 0 }));
