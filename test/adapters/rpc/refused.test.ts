import { expect, test } from "vitest";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

interface Failure {
  readonly error: { code: number; data: Record<string, unknown> };
}

// tRPC refuses these before it makes a context, so its own answer would not know the request id.
test.each([
  [
    "a batch of eleven",
    `/trpc/${Array(11).fill("tools.password").join(",")}?batch=1`,
    "application/json",
    400,
  ],
  ["a stream that is no batch", "/trpc/tools.catalogue", "application/jsonl", 400],
])("answers %s with the request id and JSON-RPC's code", async (_, path, accept, status) => {
  const response = await service.request(path, { headers: { accept } });
  const { error } = (await response.json()) as Failure;
  const requestId = response.headers.get("request-id");
  expect([response.status, error.code]).toEqual([status, -32600]);
  expect(error.data).toMatchObject({ requestId, status, httpStatus: status });
});

test("answers a streamed batch whole", async () => {
  const response = await service.request("/trpc/tools.catalogue?batch=1&input=%7B%220%22%3A%7B%7D%7D", {
    headers: { accept: "application/jsonl" },
  });
  const text = await response.text();
  expect([response.status, response.headers.get("transfer-encoding")]).toEqual([200, null]);
  expect(text).toContain("pdf-rotate");
});

test.each([
  ["secrets.create", "passphrase", "Secret-Passphrase"],
  ["tools.pdfLock", "ownerPassword", "Tool-Owner-Password"],
  ["secrets.reveal", "ticket", "Secret-Ticket"],
])(
  "a typed call of %s with %s in REST's header is refused, and not run without it",
  async (path, parameter, header) => {
    const headers = { "content-type": "application/json", [header]: "hush" };
    const init = { method: "POST", headers, body: JSON.stringify({ content: "hush" }) };
    const response = await service.request(`/trpc/${path}`, init);
    const { error } = (await response.json()) as Failure;
    expect(response.status).toBe(400);
    expect(error.data).toMatchObject({ code: "invalid_parameter", parameter, in: "header" });
    expect(JSON.stringify(error)).not.toContain("hush");
  },
);
