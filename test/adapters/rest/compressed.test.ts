import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { endpoints } from "../../../adapters/service/endpoints.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { jsonPost } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

const lines = (step: number) => Array.from({ length: 5_000 }, (_, i) => `line ${i * step}\n`).join("");
const COMPARED = jsonPost({ a: lines(1), b: lines(3) });

/** Answers that are long where they are told to be. */
const LONG: Readonly<Record<string, RequestInit>> = {
  "/api/tools": {},
  "/trpc/tools.catalogue": {},
  "/api/tools/text-compare": COMPARED,
  "/api/tools/text-compare?format=unified": COMPARED,
  "/trpc/tools.textCompare?batch=1": jsonPost({ 0: { a: lines(1), b: lines(3) } }),
};

function ask(path: string, accepted: string, init: RequestInit = {}, ip = freshIp()): Promise<Response> {
  return service.request(path, { ...init, ip, headers: { ...init.headers, "accept-encoding": accepted } });
}

test.each(Object.entries(LONG))(
  "%s is compressed for who takes that, and the same inside",
  async (path, init) => {
    const ip = freshIp();
    // What counts the calls that are left differs from call to call.
    const read = (bytes: Uint8Array) =>
      Buffer.from(bytes)
        .toString()
        .replaceAll(/"remaining":\d+|"reset":\d+/g, "");
    const plain = await ask(path, "identity", init, ip);
    expect([plain.status, plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([
      200,
      null,
      expect.stringContaining("Accept-Encoding"),
    ]);
    const whole = await plain.bytes();
    for (const [coding, unpack] of [["gzip", gunzipSync] as const, ["br", brotliDecompressSync] as const]) {
      const packed = await ask(path, coding, init, ip);
      expect([packed.status, packed.headers.get("content-encoding")]).toEqual([200, coding]);
      expect(packed.headers.get("content-length")).toBe(null);
      const bytes = await packed.bytes();
      expect(bytes.length).toBeLessThan(whole.length / 3);
      expect(read(unpack(bytes))).toBe(read(whole));
    }
  },
);

test.each(["", "nonsense", "gzip;q=0", "br;q=x", "identity, *;q=0", "zstd", "identity, br;q=0.9"])(
  "the catalogue is as it is for who accepts %j",
  async (accepted) => {
    const response = await ask("/api/tools", accepted);
    expect([response.status, response.headers.get("content-encoding")]).toEqual([200, null]);
    await response.json();
  },
);

test.each([
  ["br;q=0.1, gzip;q=0.9", "gzip"],
  ["gzip;q=0.1, br;q=0.2", "br"],
  ["gzip;q=0.5, br;q=0.5, identity;q=0.5", "br"],
])("who accepts %j is sent %s", async (accepted, coding) => {
  const response = await ask("/api/tools", accepted);
  expect(response.headers.get("content-encoding")).toBe(coding);
});

test("what is short is not compressed", async () => {
  const response = await ask("/api/tools/text-compare", "gzip", jsonPost({ a: "1", b: "2" }));
  expect(response.headers.get("content-encoding")).toBe(null);
  expect(await response.json()).toMatchObject({ identical: false });
});

test("HEAD has the headers of GET, and each coding a tag of its own", async () => {
  const ip = freshIp();
  const tags = new Set<string>();
  for (const accepted of ["identity", "gzip", "br"]) {
    const [got, head] = [
      await ask("/api/tools", accepted, {}, ip),
      await ask("/api/tools", accepted, { method: "HEAD" }, ip),
    ];
    for (const name of ["etag", "content-type", "content-encoding", "vary", "cache-control"])
      expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    expect(await head.text()).toBe("");
    const tag = got.headers.get("etag") ?? "";
    const again = await ask("/api/tools", accepted, { headers: { "if-none-match": tag } }, ip);
    expect([again.status, again.headers.get("content-encoding")]).toEqual([304, null]);
    tags.add(tag);
  }
  expect(tags.size).toBe(3);
});

test("only what tells everybody the same or answers what was sent is compressed, and nothing with a secret in it", () => {
  const compressed = endpoints.filter(({ http }) => http.compressed).map(({ rpc }) => rpc);
  expect(compressed.toSorted()).toEqual(["instance", "tools.catalogue", "tools.textCompare"]);
});

test("a batch with one call that may hold a secret is not compressed", async () => {
  const both = jsonPost({ 0: { a: lines(1), b: lines(3) }, 1: { count: 1000 } });
  for (const [path, init] of [
    ["/trpc/tools.textCompare,tools.password?batch=1", both],
    ["/trpc/tools.password", jsonPost({ count: 1000 })],
    ["/api/tools/password?count=1000", {}],
  ] as const) {
    const response = await ask(path, "gzip, br", init);
    expect([path, response.status, response.headers.get("content-encoding")]).toEqual([path, 200, null]);
  }
});
