import type { Config } from "../adapters/config/settings.ts";
import { openAuditLog } from "../adapters/operations/outbox/audit-log.ts";
import { startAudit, type Audit } from "../adapters/operations/outbox/audit.ts";
import { startHooks } from "../adapters/operations/hooks/hooks.ts";
import { createLog } from "../adapters/operations/log.ts";
import { openInstanceKey } from "../adapters/operations/key/instance-key.ts";
import type { WebhookEvent } from "../adapters/operations/outbox/deliver.ts";
import { callReceiver, startWebhooks } from "../adapters/operations/outbox/webhooks.ts";
import { readLogo } from "../adapters/service/pages/instance.ts";
import { createService, type Server, type ServiceOptions } from "../adapters/service/server.ts";
import { endHook, findHook } from "../db/accounts/hooks.ts";
import { readKeyCheck } from "../db/installation.ts";
import { openOutbox, type Sink } from "../db/outbox/outbox.ts";
import { recordEvents, stopRecording } from "../db/outbox/triggers.ts";
import { openDatabase, type Database } from "../db/open.ts";

/** Opening takes as long as an upgrade, of another instance too, or as a lock or a network that holds it up. */
const SILENT_MS = 5_000;
const SWEEP_MS = 60_000;
/** Uploads outlive their process by ARRIVING_SECONDS of router/limits.ts. */
const SWEEP_AGAIN_MS = 31_000;

interface Service extends Server {
  /** Reopens the file of the audit log; undefined where there is none. */
  readonly reopenAudit: (() => void) | undefined;
  /** Stops everything and closes the database; no call may be running. */
  readonly close: () => Promise<void>;
}

interface OpenOptions {
  readonly buildPages: boolean;
  readonly write: (line: string) => void;
  /** Writes the lines that `write` has collected. */
  readonly flush?: () => void;
  /** Tells who makes a request, where an embedding program knows its users. */
  readonly authenticate?: ServiceOptions["authenticate"];
  readonly onEvent?: ((event: WebhookEvent) => Promise<void> | void) | undefined;
}

/** Opens a server on the configured database, which deletes what expires; it does not listen yet. */
export async function openService(
  config: Config,
  { authenticate, onEvent, ...options }: OpenOptions,
): Promise<Service> {
  const logo = readLogo(config.instanceLogo);
  const log = await openLog(config, options);
  const db = await openAloud(config, options);
  const { key: instanceKey, madeFile } = await openKey(config, db).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  let audit: Audit | undefined;
  const server = await createService({
    ...options,
    config,
    db,
    instanceKey,
    logo,
    authenticate,
    clock: () => Date.now(),
    probes: log && { audit: async () => audit?.check() },
  });
  if (madeFile !== undefined) server.log.info("key_made", { file: madeFile });
  const send = senderOf(config, onEvent);
  const { notifyHosts: hosts } = config;
  const sinks = [
    ...(send ? ["webhook" as const] : []),
    ...(log ? ["audit" as const] : []),
    ...(hosts ? ["hook" as const] : []),
  ];
  await recordEvents(db, sinks).catch(async (error: unknown) => {
    await server.close();
    await db.close();
    throw error;
  });
  const webhooks =
    send &&
    startWebhooks({
      ...sinkOf("webhook", db, server.log),
      send,
      now,
      end: () => stopRecording(db, "webhook"),
    });
  const hooks =
    hosts &&
    startHooks({
      ...sinkOf("hook", db, server.log),
      hosts,
      services: server.services,
      find: (id) => findHook(db, id),
      end: (id) => endHook(db, id, now()),
    });
  audit = log && startAudit({ ...sinkOf("audit", db, server.log), ...log, clock: () => Date.now() });
  const stopSweeping = startSweeping({
    sweep: (signal) => server.sweep({ ...config, signal }),
    onFault: (error) => server.log.fault(error, "sweep"),
    everyMs: SWEEP_MS,
    againMs: SWEEP_AGAIN_MS,
  });
  const close = async () => {
    await stopSweeping();
    await webhooks?.stop();
    await hooks?.stop();
    await audit?.stop();
    await log?.log.close();
    await server.close();
    await db.close();
  };
  return { ...server, reopenAudit: log?.log.reopen, close };
}

async function openAloud({ databaseUrl, logLevel: level }: Config, { write, flush }: OpenOptions) {
  const tell = () => {
    const message =
      "The database is not open yet: an upgrade is under way, a lock on its tables is held, or it is silent.";
    createLog({ write, clock: () => Date.now(), level }).warn("database_waiting", { message });
    flush?.();
  };
  const late = setTimeout(tell, SILENT_MS);
  return openDatabase(databaseUrl).finally(() => clearTimeout(late));
}

async function openKey(config: Config, db: Database) {
  return openInstanceKey(config, await readKeyCheck(db.query), db);
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

async function openLog({ auditLog: to }: Config, { write, flush = () => {} }: OpenOptions) {
  if (to === "off") return undefined;
  const writeLines = (lines: string) => {
    for (const line of lines.split("\n").slice(0, -1)) write(line);
    flush();
  };
  return { log: await openAuditLog({ to, write: writeLines }), isMixed: to === "stdout" };
}

/** Delivers events where somebody wants them; otherwise the database records none. */
function senderOf({ webhookUrl: url, webhookSecret: secrets }: Config, onEvent: OpenOptions["onEvent"]) {
  const receiver =
    url !== undefined && secrets !== undefined ? callReceiver({ url, secrets, now }) : undefined;
  if (!receiver && !onEvent) return undefined;
  return async (event: WebhookEvent, about: { id: string; tries: number }) => {
    await onEvent?.(event);
    await receiver?.(event, about);
  };
}

function sinkOf(sink: Sink, db: Database, log: Server["log"]) {
  return { outbox: openOutbox(db, sink), onFault: (error: unknown) => log.outage(error, sink) };
}

/**
 * Sweeps at once, to delete what expired while the server was down, and then repeatedly, never twice at a time. Returns
 * a function that stops it and waits for a running sweep.
 */
export function startSweeping({
  sweep,
  onFault,
  everyMs,
  againMs,
}: {
  /** Sweeps once; the signal asks it to stop soon. */
  sweep: (signal: AbortSignal) => Promise<void>;
  onFault: (error: unknown) => void;
  everyMs: number;
  /** One more sweep so long after the start: uploads of the previous process have expired by then. */
  againMs: number;
}): () => Promise<void> {
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const once = () => {
    running ??= sweep(ending.signal)
      .catch(onFault)
      .finally(() => (running = undefined));
  };
  const timer = setInterval(once, everyMs);
  const again = setTimeout(once, againMs);
  once();
  return async () => {
    clearInterval(timer);
    clearTimeout(again);
    ending.abort();
    await running;
  };
}
