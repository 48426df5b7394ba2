import type { Config } from "./adapters/config/config.ts";
import { instanceOf, limitsOf, organisationOf } from "./adapters/config/limits.ts";
import { openAudit, type Audit } from "./adapters/operations/audit.ts";
import { openInstanceKey } from "./adapters/operations/instance-key.ts";
import { startSweeping } from "./adapters/operations/sweeper.ts";
import {
  callReceiver,
  startWebhooks,
  type WebhookEvent,
  type Webhooks,
} from "./adapters/operations/webhooks.ts";
import { createService, type Server, type ServiceOptions } from "./adapters/service/server.ts";
import { readKeyCheck } from "./db/installation.ts";
import { openOutbox } from "./db/outbox/outbox.ts";
import { recordEvents } from "./db/outbox/triggers.ts";
import { openDatabase, type Database } from "./db/open.ts";

const SWEEP_MS = 60_000;
/** Uploads outlive their process by ARRIVING_SECONDS of router/limits.ts. */
const SWEEP_AGAIN_MS = 31_000;

export interface Service extends Server {
  /** Opens the file of the audit log anew; undefined where there is none. */
  readonly reopenAudit: (() => void) | undefined;
  /** Stops the workers and closes the database; nothing may run any more. */
  readonly close: () => Promise<void>;
}

interface OpenOptions {
  readonly buildPages: boolean;
  readonly write: (line: string) => void;
  /** Who makes a request, where a program around knows its users. */
  readonly authenticate?: ServiceOptions["authenticate"];
  readonly onEvent?: ((event: WebhookEvent) => Promise<void> | void) | undefined;
}

/** A server on the database that its configuration names, which deletes what expires; not yet listening. */
export async function openService(
  config: Config,
  { authenticate, onEvent, ...options }: OpenOptions,
): Promise<Service> {
  const instance = instanceOf(config);
  let server: Server;
  const audit = auditOf(config, {
    write: options.write,
    onFault: (error) => server.log.outage(error, "audit"),
  });
  const db = await openDatabase(config.databaseUrl);
  const { key: instanceKey, madeIn } = await openKey(config, db).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  let webhooks: Webhooks | undefined;
  server = await createService({
    ...{ ...config, ...options, db, instanceKey, clock: () => Date.now() },
    ...{ limits: limitsOf(config), instance, passwordLogin: config.passwords },
    requireSecondFactor: config.requireSecondFactor,
    authenticate,
    onAct: audit?.act,
    organisation: (on) => organisationOf(config, on),
    onSecurityEvent: (event) => {
      if (event === "login_failed") webhooks?.record("account.login_failed");
    },
  });
  if (madeIn !== undefined) server.log.info("key_made", { file: madeIn });
  webhooks = await deliverEvents(config, { db, log: server.log, onEvent, audit });
  const stopSweeping = startSweeping({
    sweep: (signal) => server.sweep({ ...config, signal }),
    onFault: (error) => server.log.fault(error, "sweep"),
    everyMs: SWEEP_MS,
    againMs: SWEEP_AGAIN_MS,
  });
  const close = async () => {
    await stopSweeping();
    await webhooks?.stop();
    await audit?.close();
    await server.workers.close();
    await db.close();
  };
  return { ...server, reopenAudit: audit?.reopen, close };
}

async function openKey(config: Config, db: Database) {
  return openInstanceKey(config, { db, check: await readKeyCheck(db.query) });
}

function auditOf(
  { auditLog: to }: Config,
  options: { write: (line: string) => void; onFault: (error: unknown) => void },
): Audit | undefined {
  return to === "off" ? undefined : openAudit({ to, clock: () => Date.now(), ...options });
}

/** Delivers events where somebody wants to hear of them; else the database records none. */
async function deliverEvents(
  { webhookUrl: url, webhookSecret: secret }: Config,
  {
    db,
    log,
    onEvent,
    audit,
  }: {
    db: Database;
    log: Server["log"];
    onEvent: OpenOptions["onEvent"];
    audit: Audit | undefined;
  },
): Promise<Webhooks | undefined> {
  const now = () => Math.floor(Date.now() / 1000);
  const receiver = url !== undefined && secret !== undefined ? callReceiver({ url, secret, now }) : undefined;
  const isOn = [receiver, onEvent, audit].some((listener) => listener !== undefined);
  await recordEvents(db, { isOn });
  if (!isOn) return undefined;
  return startWebhooks({
    ...{ outbox: openOutbox(db), now, onFault: (error) => log.outage(error, "webhook") },
    send: async (event, about) => {
      if (about.tries === 0) audit?.event(event);
      await onEvent?.(event);
      await receiver?.(event, about);
    },
  });
}
