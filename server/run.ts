import { configHelp, ConfigError, readConfig, settingsWithoutEffect } from "../adapters/config/config.ts";
import type { Config } from "../adapters/config/settings.ts";
import { listen } from "../adapters/http/listen.ts";
import {
  endOnSignal,
  releaseHeap,
  reloadOnSignal,
  stopOnSignal,
  surviveUserSignals,
} from "../adapters/operations/process.ts";
import { KeyRefused } from "../adapters/operations/key/key-file.ts";
import { collectLines } from "../adapters/operations/log.ts";
import { serveMetrics } from "../adapters/operations/metrics.ts";
import type { Server } from "../adapters/service/server.ts";
import { startWatchdog } from "../adapters/workers/watchdog.ts";
import { formatUnopened } from "../db/open.ts";
import { openService } from "./open.ts";

const STOP_MS = 30_000;
const PARENT_CHECK_MS = 500;
/** Requests that came during the start are answered first. */
const WARM_UP_AFTER_MS = 5_000;

/** What Node, Deno and Bun say of a place where they cannot listen, and what it means. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/EACCES|permission denied/i, "where it may not listen"],
  [/EADDRINUSE|in use/i, "which is in use"],
  [/EADDRNOTAVAIL|EINVAL|cannot assign/i, "which is not an address of this machine"],
  [/ENOTFOUND|EAI_AGAIN|failed to lookup/i, "and that host is not known"],
];

if (process.argv.includes("--help")) {
  console.log(configHelp());
} else {
  await start().catch(endWithReason);
}

async function start(): Promise<void> {
  const endStart = endOnSignal();
  const config = readConfig(process.env);
  surviveUserSignals();
  const onHangUp = reloadOnSignal({ hasLog: config.auditLog !== "off" });
  const output = collectLines((text) => process.stdout.write(text));
  process.once("exit", output.flush);
  const service = await openService(config, { buildPages: true, write: output.write, flush: output.flush });
  surviveFaults(service.log);
  const metrics = await startMetrics(service, config);
  const server = await listenAt("PORT", config, () => listen(service, config));
  releaseHeap();
  const publicUrl = withRealPort(config.publicUrl, server.url);
  service.services.publicUrl = publicUrl;
  if (service.reopenAudit) onHangUp.reload = service.reopenAudit;
  warnOfNoPublicUrl(service, publicUrl);
  for (const message of settingsWithoutEffect(process.env))
    service.log.warn("setting_without_effect", { message });
  service.log.info("listening", { url: server.url });
  // Started late, because opening a database of an older version may take long.
  startWatchdog();
  setTimeout(() => void service.workers.warmUp(), WARM_UP_AFTER_MS).unref();
  const drain = () => {
    service.health.startDraining();
    service.log.info("draining");
  };
  const end = async () => {
    await server.stop(STOP_MS);
    await metrics?.stop();
    await service.close();
    service.log.info("stopped");
    process.exit(0);
  };
  stopOnSignal({ drainSeconds: config.drainSeconds, drain, end });
  endStart();
  if (process.env.npm_lifecycle_event) endWithParent();
}

// npm 11 and npx pass SIGTERM to the shell that they run a command in, and the shell ends without its command.
function endWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_CHECK_MS);
  timer.unref();
}

// With port 0 the system chooses the port.
function withRealPort(publicUrl: string, listening: string): string {
  const url = new URL(publicUrl);
  if (url.port !== "0") return publicUrl;
  url.port = new URL(listening).port;
  return url.href.replace(/\/$/, "");
}

// Where HOST means all addresses and PUBLIC_URL is unset, links would begin with that address, which no machine has.
function warnOfNoPublicUrl({ log }: Server, publicUrl: string): void {
  if (!["0.0.0.0", "[::]"].includes(new URL(publicUrl).hostname)) return;
  log.warn("no_public_url", {
    url: publicUrl,
    message: "Links begin with this address, which leads nowhere: set PUBLIC_URL.",
  });
}

// One request must not end the process for everybody. An uncaught error belongs to one call, and the log tells of it.
function surviveFaults({ fault }: Server["log"]): void {
  for (const event of ["unhandledRejection", "uncaughtException"] as const)
    process.on(event, (error: unknown) => fault(error, "process"));
}

async function startMetrics({ metrics, log }: Server, { metricsPort: port, host }: Config) {
  if (port === undefined) return undefined;
  const at = { port, host };
  const served = await listenAt("METRICS_PORT", at, () => serveMetrics(metrics, at));
  log.info("metrics", { url: served.url });
  return served;
}

async function listenAt<Served>(
  setting: "PORT" | "METRICS_PORT",
  { port, host }: Pick<Config, "port" | "host">,
  serve: () => Promise<Served>,
): Promise<Served> {
  try {
    return await serve();
  } catch (error) {
    const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    const said = error instanceof Error ? `${"code" in error ? error.code : ""} ${error.message}` : "";
    const refusal = REFUSALS.find(([words]) => words.test(said))?.[1] ?? `which is refused: ${said.trim()}`;
    throw new ConfigError(`The server cannot start: HOST and ${setting} name ${place}, ${refusal}.`);
  }
}

// Setting the exit code alone is not enough: a server that already listens would keep the process running.
function endWithReason(error: unknown): never {
  console.error(reasonOf(error));
  process.exit(1);
}

// No user has sent anything yet, so messages may be shown; only the database URL is a secret.
function reasonOf(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof KeyRefused) return error.message;
  const unopened = formatUnopened(error);
  if (unopened !== undefined) return unopened;
  if (error instanceof Error && "code" in error) return `The server cannot start: ${error.message}`;
  return error;
}
