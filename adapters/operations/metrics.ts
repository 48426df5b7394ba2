// Metrics for Prometheus (text format 0.0.4). They contain no name, address or size of anything that was sent: labels
// are route patterns, statuses and names of tools, and all file tools share one histogram of durations.
import process from "node:process";
import { FastResponse, serve } from "srvx";
import { BASE_HEADERS } from "../trpc/request.ts";
import { VERSION } from "./version.ts";

/** Seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30];
const DATABASE_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];
const HEADERS = new Headers([...BASE_HEADERS, ["Content-Type", "text/plain; version=0.0.4; charset=utf-8"]]);
const OTHER_HEADERS = new Headers([...BASE_HEADERS, ["Content-Type", "text/plain; charset=utf-8"]]);
const PREFIX = "hushkit_";
/** With a single running call, a more exact number would reveal the size of its file. */
const STEP_BYTES = 64 * 1024 * 1024;
const { bun, deno, node } = process.versions;
const RUNTIME = bun ? `bun ${bun}` : deno ? `deno ${deno}` : `node ${node}`;

/** A number, or one for each value of the label; undefined where it does not exist. */
type GaugeValue = number | Readonly<Record<string, number>> | undefined;

/** A number that is measured on demand. */
interface Gauge {
  readonly help: string;
  /** A number that only grows is a counter. */
  readonly type?: "counter" | "gauge";
  readonly label?: string;
  readonly read: () => GaugeValue | Promise<GaugeValue>;
}

export type Gauges = Readonly<Record<string, Gauge>>;

export interface Metrics {
  readonly request: (call: { route: string; status: number; milliseconds: number; isTool: boolean }) => void;
  readonly toolCall: (call: { tool: string; succeeded: boolean }) => void;
  readonly databaseCall: (call: { kind: string; milliseconds: number }) => void;
  /** All metrics in Prometheus' format. */
  readonly text: () => Promise<string>;
}

/** Counts since the start of the process; `gauges` by name. */
export function createMetrics(gauges: Gauges): Metrics {
  const requests = createSeries("requests_total", "counter", "Requests by route and status.");
  const calls = createSeries("tool_calls_total", "counter", "Calls of tools over REST and RPC, by outcome.");
  const seconds = createHistogram("request_seconds", {
    help: "Time until the answer is made, without sending it; of file tools rounded up to a bucket's bound.",
    label: "route",
    buckets: BUCKETS,
  });
  const database = createHistogram("database_seconds", {
    help: "Duration of successful database calls, including the wait for a connection.",
    label: "call",
    buckets: DATABASE_BUCKETS,
  });
  return {
    request({ route, status, milliseconds, isTool }) {
      requests.add({ route, status });
      if (isTool) seconds.observe("file tools", roundUp(milliseconds / 1000));
      else seconds.observe(route, milliseconds / 1000);
    },
    toolCall: ({ tool, succeeded }) => calls.add({ tool, outcome: succeeded ? "succeeded" : "failed" }),
    databaseCall: ({ kind, milliseconds }) => database.observe(kind, milliseconds / 1000),
    async text() {
      const parts = [requests, calls, seconds, database].map(({ text }) => text());
      const read = Object.entries(gauges).map(([name, gauge]) => readGauge(name, gauge));
      return [...parts, ...(await Promise.all(read))].join("");
    },
  };
}

/** A gauge that cannot be read is left out; the failure is logged where it happens. */
async function readGauge(name: string, { help, type = "gauge", label = "", read }: Gauge): Promise<string> {
  const { add, text } = createSeries(name, type, help);
  const found = await Promise.resolve()
    .then(read)
    .catch(() => undefined);
  if (typeof found === "number") add({}, { by: found });
  else for (const [value, by] of Object.entries(found ?? {})) add({ [label]: value }, { by });
  return text();
}

function createSeries(name: string, type: "counter" | "gauge" | "histogram", help: string) {
  const values = new Map<string, number>();
  return {
    add(labels: Readonly<Record<string, string | number>>, { by = 1, suffix = "" } = {}): void {
      // Patterns, statuses and tools are our own words and need no escaping.
      const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const key = `${PREFIX}${name}${suffix}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""}`;
      values.set(key, (values.get(key) ?? 0) + by);
    },
    text(): string {
      const lines = [...values].map(([key, value]) => `${key} ${value}\n`);
      return `# HELP ${PREFIX}${name} ${help}\n# TYPE ${PREFIX}${name} ${type}\n${lines.join("")}`;
    },
  };
}

// Counted as numbers and written when somebody reads them: ten lines for each request would cost more than routing it.
// A bucket has an upper bound, and counts the values up to it.
function createHistogram(
  name: string,
  { help, label, buckets }: { help: string; label: string; buckets: readonly number[] },
) {
  const all = new Map<string, { counts: number[]; sum: number; count: number }>();
  return {
    observe(of: string, value: number): void {
      const observed = all.get(of) ?? { counts: buckets.map(() => 0), sum: 0, count: 0 };
      all.set(of, observed);
      for (const [i, bound] of buckets.entries())
        if (value <= bound) observed.counts[i] = (observed.counts[i] ?? 0) + 1;
      observed.sum += value;
      observed.count++;
    },
    text(): string {
      const { add, text } = createSeries(name, "histogram", help);
      for (const [of, { counts, sum, count }] of all) {
        const labels = { [label]: of };
        for (const [i, le] of buckets.entries())
          add({ ...labels, le }, { by: counts[i] ?? 0, suffix: "_bucket" });
        add({ ...labels, le: "+Inf" }, { by: count, suffix: "_bucket" });
        add(labels, { by: sum, suffix: "_sum" });
        add(labels, { by: count, suffix: "_count" });
      }
      return text();
    },
  };
}

/** Two readings around one call would otherwise tell its exact time from the sum, and so something about its file. */
function roundUp(seconds: number): number {
  const most = BUCKETS.at(-1) ?? 1;
  return BUCKETS.find((bound) => seconds <= bound) ?? Math.ceil(seconds / most) * most;
}

/** Serves the metrics at /metrics on a port of their own, which only the monitoring should reach. */
export async function serveMetrics(
  metrics: Metrics,
  at: { port: number; host: string },
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = serve({
    fetch: async ({ url }) =>
      new URL(url).pathname === "/metrics"
        ? new FastResponse((await metrics.text()) + processText(), { headers: HEADERS })
        : new FastResponse("The numbers are at /metrics\n", { status: 404, headers: OTHER_HEADERS }),
    port: at.port,
    hostname: at.host,
    silent: true,
    gracefulShutdown: false,
  });
  await server.ready();
  return { url: `${server.url ?? ""}metrics`, stop: () => server.close(true) };
}

/** The metrics that dashboards expect of every process, under their usual names, and the versions of release and runtime. */
function processText(): string {
  const { user, system } = process.cpuUsage();
  const residentBytes = Math.ceil(process.memoryUsage().rss / STEP_BYTES) * STEP_BYTES;
  return [
    "# HELP process_cpu_seconds_total Processor time of the server itself, without its workers.",
    "# TYPE process_cpu_seconds_total counter",
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
    "# HELP process_resident_memory_bytes Memory of the server itself, in steps of 64 MiB.",
    "# TYPE process_resident_memory_bytes gauge",
    `process_resident_memory_bytes ${residentBytes}`,
    "# HELP process_start_time_seconds When the server was started, in seconds since 1970.",
    "# TYPE process_start_time_seconds gauge",
    `process_start_time_seconds ${Math.floor(performance.timeOrigin / 1000)}`,
    "# HELP hushkit_build_info The release and what it runs on.",
    "# TYPE hushkit_build_info gauge",
    `hushkit_build_info{version="${VERSION}",runtime="${RUNTIME}"} 1`,
    "",
  ].join("\n");
}
