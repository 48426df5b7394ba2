import process from "node:process";
import { VERSION } from "./version.ts";

/** With one call under way a more exact number would be the size of its file. */
const STEP_BYTES = 64 * 1024 * 1024;
const { bun, deno, node } = process.versions;
const RUNTIME = bun ? `bun ${bun}` : deno ? `deno ${deno}` : `node ${node}`;

/** What dashboards know of any process, under its usual names, and which release runs on what. */
export function processText(): string {
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
