import { Readable } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { RequestBody } from "../../../adapters/trpc/body/request-body.ts";

const LIMIT = { limit: 10, tooLarge: () => new Error("too large") };

afterEach(() => void vi.useRealTimers());

function post(headers: Record<string, string> = {}, init: RequestInit = {}): Request {
  return new Request("http://hushkit.test/", { method: "POST", headers, body: "x", ...init });
}

/** A request as srvx makes it on Node, with the stream of the socket beside it. */
function onNode(stream: Readable, headers: Record<string, string> = {}): Request {
  return Object.assign(post(headers), { runtime: { node: { req: stream } } });
}

test("stops draining after ten seconds, also where a read cannot be given up", async () => {
  vi.useFakeTimers();
  const silent = new Readable({ read: () => {} });
  const drained = new RequestBody(onNode(silent)).drain();
  await vi.advanceTimersByTimeAsync(10_000);
  await drained;
});

test("refuses a body that breaks off, and drains it without a word", async () => {
  async function* breaking() {
    yield new Uint8Array([1]);
    throw new Error("aborted");
  }
  const broken = () => onNode(Readable.from(breaking(), { objectMode: false }), { "content-length": "2" });
  await expect(new RequestBody(broken()).bytes(LIMIT)).rejects.toMatchObject({
    code: "missing_body",
    status: 400,
  });
  await new RequestBody(broken()).drain();
});

test.each([
  [
    "Node's stream",
    async () => {
      const stream = Readable.from([new Uint8Array([1])], { objectMode: false });
      await stream.toArray();
      return onNode(stream, { "content-length": "1" });
    },
  ],
  [
    "a request",
    async () => {
      const request = post();
      await request.text();
      return request;
    },
  ],
  [
    "a request whose body somebody reads",
    async () => {
      const request = post();
      request.body?.getReader();
      return request;
    },
  ],
] as const)("says of %s that its body was read before", async (_, make) => {
  const body = new RequestBody(await make());
  const said = { code: "missing_body", status: 400, message: expect.stringContaining("express.json()") };
  await expect(body.bytes(LIMIT)).rejects.toMatchObject(said);
  await body.drain();
});

test("reads what has come, and what comes after it, up to the length that was told", async () => {
  const stream = new Readable({ read: () => {} });
  stream.push(new Uint8Array([1, 2]));
  const reading = new RequestBody(onNode(stream, { "content-length": "4" })).bytes(LIMIT);
  await expect.poll(() => stream.readableLength).toBe(0);
  stream.push(new Uint8Array([3, 4]));
  expect([...(await reading)]).toStrictEqual([1, 2, 3, 4]);
});

test.each([
  ["a length", post({ "content-length": "5" }), 5],
  ["no length", post(), undefined],
  ["a length of compressed bytes", post({ "content-length": "5", "content-encoding": "gzip" }), undefined],
  ["no body at all", new Request("http://hushkit.test/"), 0],
])("knows how many bytes will come by %s", (_, request, declaredBytes) => {
  expect(new RequestBody(request).declaredBytes).toBe(declaredBytes);
});
