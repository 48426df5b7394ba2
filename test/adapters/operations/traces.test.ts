import { afterEach, beforeEach, expect, test } from "vitest";
import about from "../../../package.json" with { type: "json" };
import { testIf } from "../../machine/skips.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();
/** Where the API of OpenTelemetry keeps what a program has registered. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

interface Ended {
  readonly name: string;
  readonly kind: number;
  readonly parent: unknown;
  readonly attributes: Record<string, unknown>;
  status?: { code: number };
}

let spans: Ended[] = [];

/** A small provider of tracers; it lists each span once that has ended. */
const provider = {
  getTracer: (...tracer: string[]) => ({
    startSpan(name: string, options: { kind: number; attributes: object }, parent: unknown) {
      const span: Ended = { name, kind: options.kind, parent, attributes: { ...options.attributes, tracer } };
      return {
        setAttributes: (more: object) => Object.assign(span.attributes, more),
        setStatus: (status: { code: number }) => (span.status = status),
        end: () => void spans.push(span),
      };
    },
  }),
};

interface Getter {
  readonly keys: (carrier: unknown) => string[];
  readonly get: (carrier: unknown, name: string) => string | undefined;
}

/** A propagator that takes whatever it is given. */
const propagation = {
  extract: (root: unknown, carrier: unknown, { keys, get }: Getter) => ({
    root,
    keys: keys(carrier),
    read: ["traceparent", "tracestate", "baggage", "cookie"].map((name) => get(carrier, name)),
  }),
};

function register(registry: object | undefined): void {
  spans = [];
  Reflect.set(globalThis, REGISTRY, registry);
}

function sent(method: string, route: string, status: number): Partial<Ended> {
  const request = { "http.request.method": method, "http.route": route, "http.response.status_code": status };
  const id = { "hushkit.request_id": expect.stringMatching(/^[0-9a-f-]{36}$/) };
  return { kind: 1, attributes: { ...request, ...id, tracer: ["hushkit", about.version] } };
}

beforeEach(() => register({ trace: provider, context: { active: () => "root" }, propagation }));
afterEach(() => void Reflect.deleteProperty(globalThis, REGISTRY));

test("tells a provider of each request by its pattern, method and status, and of nothing else", async () => {
  const made = await service.request("/api/secrets?expires=3600", { method: "POST", body: "canary" });
  const { id } = (await made.json()) as { id: string };
  const headers = { "content-type": "application/json" };
  await service.request(`/api/secrets/${id}/reveal`, { method: "POST", body: '{"key":"canary"}', headers });
  await service.request("/canary");
  expect(spans).toEqual([
    expect.objectContaining({ name: "POST /api/secrets", ...sent("POST", "/api/secrets", 201) }),
    expect.objectContaining({
      name: "POST /api/secrets/:id/reveal",
      ...sent("POST", "/api/secrets/:id/reveal", 404),
    }),
    expect.objectContaining({ name: "GET (none)", ...sent("GET", "(none)", 404) }),
  ]);
  expect(JSON.stringify(spans)).not.toMatch(new RegExp(`canary|${id}`, "i"));
});

testIf(!process.versions.bun, "Bun makes a GET of every method it does not know")(
  "does not repeat a method that nobody knows",
  async () => {
    await service.request("/canary", { method: "CANARY" });
    expect(spans).toEqual([
      expect.objectContaining({ name: "HTTP (none)", ...sent("_OTHER", "(none)", 404) }),
    ]);
  },
);

test("takes the caller's trace context, and no other header", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const headers = { traceparent, tracestate: "a=b", baggage: "canary=1", cookie: "canary=2" };
  await service.request("/version", { headers });
  expect(spans[0]?.parent).toEqual({
    root: "root",
    keys: ["traceparent", "tracestate"],
    read: [traceparent, "a=b", undefined, undefined],
  });
});

test("marks what the server could not answer", async () => {
  const ending = await startForTest();
  ending.health.startDraining();
  await ending.request("/api/openapi.json");
  expect(spans).toMatchObject([{ attributes: { "http.response.status_code": 503 }, status: { code: 2 } }]);
});

test("makes no span of a file tool, over REST or RPC", async () => {
  await service.request("/api/tools/file-hash", { method: "POST", body: "canary" });
  await service.client().tools.fileHash.mutate({ file: new Uint8Array(1) });
  expect(spans).toEqual([]);
});

test.each([undefined, {}, { context: { active: () => "root" } }])(
  "answers as ever where the registry is %j",
  async (registry) => {
    register(registry);
    expect((await service.request("/version")).status).toBe(200);
    expect(spans).toEqual([]);
  },
);
