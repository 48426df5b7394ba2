import { configHelp, ConfigError, readConfig, type Config } from "./adapters/config.ts";
import { listen } from "./adapters/listen.ts";
import { serveMetrics } from "./adapters/metrics.ts";
import { createService, type Service } from "./adapters/service.ts";
import { DatabaseUnavailable, openDatabase } from "./db/open.ts";

const SWEEP_MS = 60_000;
const STOP_MS = 30_000;

if (process.argv.includes("--help")) {
  console.log(configHelp());
} else {
  await start().catch(endWithReason);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const db = await openDatabase(config.databaseUrl);
  const service = await createService({
    ...config,
    db,
    clock: () => Date.now(),
    buildPages: true,
    write: (line) => process.stdout.write(`${line}\n`),
  });
  const server = await listen(service, config);
  service.log.note("listening", { url: server.url });
  const metrics = await startMetrics(service, config);
  const stopSweeping = startSweeping(service, config);
  const stop = async () => {
    stopSweeping();
    await server.stop(STOP_MS);
    await metrics?.stop();
    await service.runner.close();
    await db.close();
    service.log.note("stopped");
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
}

async function startMetrics({ metrics, log }: Service, { metricsPort: port, host }: Config) {
  if (port === undefined) return undefined;
  const served = await serveMetrics(metrics, { port, host });
  log.note("metrics", { url: served.url });
  return served;
}

// The first sweep comes at once: a server that was down has what expired meanwhile to delete.
function startSweeping(service: Service, config: Config): () => void {
  const once = () => service.sweep(config).catch((error: unknown) => service.log.fault(error, "sweep"));
  const timer = setInterval(() => void once(), SWEEP_MS);
  void once();
  return () => clearInterval(timer);
}

function endWithReason(error: unknown): void {
  if (error instanceof ConfigError) console.error(error.message);
  else if (error instanceof DatabaseUnavailable)
    console.error("The database of DATABASE_URL cannot be opened.");
  else console.error(error);
  process.exitCode = 1;
}
