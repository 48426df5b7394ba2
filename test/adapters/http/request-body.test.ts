import { afterEach, expect, test, vi } from "vitest";
import { RequestBody } from "../../../adapters/http/body/request-body.ts";

afterEach(() => void vi.useRealTimers());

function post(headers: Record<string, string> = {}, init: RequestInit = {}): Request {
  return new Request("http://hushkit.test/", { method: "POST", headers, body: "x", ...init });
}

/** A request as srvx makes it on Node, with the stream of the socket beside it. */
function onNode(chunks: AsyncIterable<Uint8Array>): Request {
  return Object.assign(post(), { runtime: { node: { req: chunks } } });
}

test("stops draining after ten seconds, also where a read cannot be given up", async () => {
  vi.useFakeTimers();
  const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
  const drained = new RequestBody(onNode(silent)).drain();
  await vi.advanceTimersByTimeAsync(10_000);
  await drained;
});

test("refuses a body that breaks off, and drains it without a word", async () => {
  async function* breaking() {
    yield new Uint8Array([1]);
    throw new Error("aborted");
  }
  const options = { limit: 10, tooLarge: () => new Error("too large") };
  await expect(new RequestBody(onNode(breaking())).bytes(options)).rejects.toMatchObject({
    code: "missing_body",
    status: 400,
  });
  await new RequestBody(onNode(breaking())).drain();
});

test.each([
  ["a length", post({ "content-length": "5" }), 5],
  ["no length", post(), undefined],
  ["a length of compressed bytes", post({ "content-length": "5", "content-encoding": "gzip" }), undefined],
  ["no body at all", new Request("http://hushkit.test/"), 0],
])("knows how many bytes will come by %s", (_, request, declaredBytes) => {
  expect(new RequestBody(request).declaredBytes).toBe(declaredBytes);
});
