import { expect, test } from "vitest";
import { BASE_HEADERS } from "../../../adapters/trpc/request.ts";
import { createMetrics, serveMetrics } from "../../../adapters/operations/metrics.ts";

const SAMPLE = /^hushkit_[a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? [0-9.e+-]+$/;

async function samples(metrics: ReturnType<typeof createMetrics>): Promise<Map<string, number>> {
  const lines = (await metrics.text()).trimEnd().split("\n");
  const values = lines.filter((line) => !line.startsWith("# "));
  for (const line of values) expect(line).toMatch(SAMPLE);
  return new Map(
    values.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

test("counts requests by route and status, and tool calls by outcome", async () => {
  const metrics = createMetrics({});
  for (const status of [200, 200, 429])
    metrics.request({ route: "/api/secrets", status, milliseconds: 1, isTool: false });
  metrics.toolCall({ tool: "pdf-merge", succeeded: true });
  metrics.toolCall({ tool: "pdf-merge", succeeded: false });
  const found = await samples(metrics);
  expect(found.get('hushkit_requests_total{route="/api/secrets",status="200"}')).toBe(2);
  expect(found.get('hushkit_requests_total{route="/api/secrets",status="429"}')).toBe(1);
  expect(found.get('hushkit_tool_calls_total{tool="pdf-merge",outcome="succeeded"}')).toBe(1);
  expect(found.get('hushkit_tool_calls_total{tool="pdf-merge",outcome="failed"}')).toBe(1);
});

test.each([
  [0, 8],
  [4.9, 8],
  [5, 8],
  [5.1, 7],
  [100, 6],
  [100.1, 5],
  [30_000, 2],
  [30_001, 1],
])("puts %d ms into the %d buckets that hold it", async (milliseconds, count) => {
  const metrics = createMetrics({});
  metrics.request({ route: "/", status: 200, milliseconds, isTool: false });
  const found = await samples(metrics);
  const buckets = [...found].filter(([name]) => name.includes("_bucket"));
  expect(buckets).toHaveLength(8);
  expect(buckets.filter(([, value]) => value === 1)).toHaveLength(count);
  expect(found.get('hushkit_request_seconds_bucket{route="/",le="+Inf"}')).toBe(1);
  expect(found.get('hushkit_request_seconds_sum{route="/"}')).toBeCloseTo(milliseconds / 1000, 9);
  expect(found.get('hushkit_request_seconds_count{route="/"}')).toBe(1);
});

test("keeps the time of a file tool to all of them together", async () => {
  const metrics = createMetrics({});
  metrics.request({ route: "/api/tools/pdf-merge", status: 200, milliseconds: 7, isTool: true });
  const text = await metrics.text();
  // Not 0.007: with the sum before and after, that would be the time of this file.
  expect(text).toContain('hushkit_request_seconds_sum{route="file tools"} 0.025');
  metrics.request({ route: "/api/tools/pdf-merge", status: 200, milliseconds: 31_000, isTool: true });
  expect(await metrics.text()).toContain('hushkit_request_seconds_sum{route="file tools"} 60.025');
  expect(text).not.toContain('_sum{route="/api/tools/pdf-merge"}');
});

test("reads gauges when asked, with help and type before each name once", async () => {
  const state = { busy: 0 };
  const metrics = createMetrics({ pool_busy: { help: "Jobs that run.", read: async () => state.busy } });
  expect((await samples(metrics)).get("hushkit_pool_busy")).toBe(0);
  state.busy = 2;
  expect((await samples(metrics)).get("hushkit_pool_busy")).toBe(2);
  const text = await metrics.text();
  expect(
    text.match(/# HELP hushkit_pool_busy Jobs that run\.\n# TYPE hushkit_pool_busy gauge\n/g),
  ).toHaveLength(1);
  expect(text.endsWith("\n")).toBe(true);
});

test("answers at /metrics and nowhere else, on a port of its own", async () => {
  const served = await serveMetrics(createMetrics({}), { port: 0, host: "127.0.0.1" });
  const response = await fetch(served.url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await response.text()).toContain("# TYPE hushkit_requests_total counter");
  const other = await fetch(new URL("/", served.url));
  expect([other.status, other.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
  for (const { headers } of [response, other])
    expect(BASE_HEADERS.map(([name]) => [name, headers.get(name)])).toEqual(BASE_HEADERS);
  await served.stop();
  await expect(fetch(served.url)).rejects.toThrow();
});
