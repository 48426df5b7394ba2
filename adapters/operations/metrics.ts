// Numbers for Prometheus (text format 0.0.4). No name, address or size of anything that was sent: labels are route
// patterns, statuses and names of tools, and every file tool shares one histogram of durations.
import { FastResponse, serve } from "srvx";
import { processText } from "./process-metrics.ts";

/** Seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30];
const TYPE = "text/plain; version=0.0.4; charset=utf-8";
const PREFIX = "hushkit_";

type Labels = Readonly<Record<string, string | number>>;

/** What is measured of the server when it is asked. */
interface Gauge {
  readonly help: string;
  readonly read: () => number | Promise<number>;
}

interface AnsweredRequest {
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly isTool: boolean;
}

export interface Metrics {
  readonly request: (answered: AnsweredRequest) => void;
  readonly toolCall: (call: { tool: string; succeeded: boolean }) => void;
  /** Everything, as Prometheus reads it. */
  readonly text: () => Promise<string>;
}

/** Counts from the start of the process; `gauges` by name. */
export function createMetrics(gauges: Readonly<Record<string, Gauge>>): Metrics {
  const requests = createSeries("requests_total", {
    type: "counter",
    help: "Requests by route and status.",
  });
  const calls = createSeries("tool_calls_total", {
    type: "counter",
    help: "Calls of tools over REST and RPC, by outcome.",
  });
  const seconds = createHistogram("request_seconds", "Time until the answer is made, without sending it.");
  return {
    request({ route, status, milliseconds, isTool }) {
      requests.add({ route, status });
      seconds.observe({ route: isTool ? "file tools" : route, value: milliseconds / 1000 });
    },
    toolCall: ({ tool, succeeded }) => calls.add({ tool, outcome: succeeded ? "succeeded" : "failed" }),
    async text() {
      const parts = [requests, calls, seconds].map(({ text }) => text());
      for (const [name, gauge] of Object.entries(gauges)) {
        const series = createSeries(name, { type: "gauge", help: gauge.help });
        series.add({}, { by: await gauge.read() });
        parts.push(series.text());
      }
      return parts.join("");
    },
  };
}

interface Series {
  readonly add: (labels: Labels, more?: { by?: number; suffix?: string }) => void;
  readonly text: () => string;
}

function createSeries(
  name: string,
  { type, help }: { type: "counter" | "gauge" | "histogram"; help: string },
): Series {
  const values = new Map<string, number>();
  return {
    add(labels, { by = 1, suffix = "" } = {}) {
      // Patterns, statuses and tools are ours and hold nothing that would have to be escaped.
      const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const key = `${PREFIX}${name}${suffix}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""}`;
      values.set(key, (values.get(key) ?? 0) + by);
    },
    text() {
      const lines = [...values].map(([key, value]) => `${key} ${value}\n`);
      return `# HELP ${PREFIX}${name} ${help}\n# TYPE ${PREFIX}${name} ${type}\n${lines.join("")}`;
    },
  };
}

interface Observed {
  /** Of each bucket, how many values are not above it. */
  readonly counts: number[];
  sum: number;
  count: number;
}

// Counted in numbers and written when somebody reads: ten lines for each request would cost more than its routing.
function createHistogram(name: string, help: string) {
  const routes = new Map<string, Observed>();
  return {
    observe({ route, value }: { route: string; value: number }): void {
      const observed = routes.get(route) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
      routes.set(route, observed);
      observed.counts.forEach(
        (many, i) => (observed.counts[i] = many + (value <= (BUCKETS[i] ?? 0) ? 1 : 0)),
      );
      observed.sum += value;
      observed.count++;
    },
    text(): string {
      const { add, text } = createSeries(name, { type: "histogram", help });
      for (const [route, { counts, sum, count }] of routes) {
        for (const [i, le] of BUCKETS.entries())
          add({ route, le }, { by: counts[i] ?? 0, suffix: "_bucket" });
        add({ route, le: "+Inf" }, { by: count, suffix: "_bucket" });
        add({ route }, { by: sum, suffix: "_sum" });
        add({ route }, { by: count, suffix: "_count" });
      }
      return text();
    },
  };
}

/** Serves the numbers at /metrics on a port of their own, which nobody but the watcher should reach. */
export async function serveMetrics(
  metrics: Metrics,
  at: { port: number; host: string },
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = serve({
    fetch: async ({ url }) =>
      new URL(url).pathname === "/metrics"
        ? new FastResponse((await metrics.text()) + processText(), { headers: { "Content-Type": TYPE } })
        : new FastResponse("The numbers are at /metrics\n", { status: 404 }),
    port: at.port,
    hostname: at.host,
    silent: true,
    gracefulShutdown: false,
  });
  await server.ready();
  return { url: `${server.url ?? ""}metrics`, stop: () => server.close(true) };
}
