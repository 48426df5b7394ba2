import type { Database } from "../../db/open.ts";
import type { Authenticate, Services } from "../../router/context.ts";
import { DEFAULT_LIMITS, type Limits } from "../../router/limits.ts";
import { RememberedUsers } from "../../router/accounts/embedded.ts";
import type { SecurityEvent } from "../../router/meta.ts";
import { createUsage } from "../../router/policy/usage.ts";
import { makeServices } from "../../router/services.ts";
import type { SweepOptions } from "../../router/sweep.ts";
import { createSweeping } from "../../router/sweeping.ts";
import type { Trust } from "./address.ts";
import { Budgets } from "./call-budget.ts";
import { explainError } from "./errors/explain-error.ts";
import { createApp, type ServiceApp } from "./app.ts";
import { createHealth, shareProbe, type Health } from "../operations/health.ts";
import { createGauges } from "../operations/gauges.ts";
import { createLog, type Log, type LogLevel } from "../operations/log.ts";
import { createMetrics, type Metrics } from "../operations/metrics.ts";
import { openPages } from "./pages/files.ts";
import { securityHeaders, type Hsts } from "./security-headers.ts";
import { createPasswords, type ScryptCost } from "../workers/passwords.ts";
import { createWorkers, type Workers } from "../workers/workers.ts";
import { TOOL_NAMES } from "../../wire/pages.ts";
import type { OrganisationLogin } from "./login/oidc-routes.ts";
import { makeCatalogue } from "./catalogue.ts";
import { describeInstance, type InstanceSettings } from "./pages/instance.ts";
import { VERSION } from "../operations/version.ts";

export interface ServiceOptions {
  readonly db: Database;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds of a clock that nobody can set; a test has one of its own. */
  readonly monotonic?: () => number;
  readonly publicUrl: string;
  readonly trust: Trust;
  readonly workers: number;
  readonly workSeconds: number;
  readonly memoryBudget: number;
  readonly maxSecretBytes: number;
  /** Of 32 bytes; the database does not hold it. */
  readonly instanceKey: Uint8Array<ArrayBuffer>;
  readonly registration: Services["registration"];
  readonly anonymous: Services["anonymous"];
  /** The specification's where they are absent. */
  readonly limits?: Limits;
  /** "optional" where it is absent. */
  readonly passphrase?: Services["passphrase"];
  /** All of them where they are absent. */
  readonly tools?: readonly string[];
  /** Who makes a request, where a program around knows its users. */
  readonly authenticate?: Authenticate | undefined;
  /** "on" where it is absent. */
  readonly passwordLogin?: "on" | "off";
  /** "no" where it is absent. */
  readonly requireSecondFactor?: "members" | "no";
  /** How an organisation's members log in; gets where faults are told. */
  readonly organisation?: (options: { onFault: (error: unknown) => void }) => OrganisationLogin | undefined;
  /** By name, more parts of which each rejects while it does not work. */
  readonly probes?: Readonly<Record<string, () => Promise<void>>> | undefined;
  /** Called beside the log for what an operator may want to alert on. */
  readonly onSecurityEvent?: (event: SecurityEvent) => void;
  /** What the operator says of the instance. */
  readonly instance?: Partial<InstanceSettings>;
  /** "host" where it is absent. */
  readonly hsts?: Hsts;
  /** Whether search engines may list the pages; "off" where it is absent. */
  readonly index?: "on" | "off";
  /** Of new password hashes; a test makes them cheap. */
  readonly passwordCost?: ScryptCost;
  /** Whether to build the pages where they are missing or older than their sources. */
  readonly buildPages?: boolean;
  readonly write: (line: string) => void;
  /** "info" where it is absent. */
  readonly logLevel?: LogLevel;
}

/** A service on its database, not yet listening. */
export interface Server {
  readonly app: ServiceApp;
  readonly health: Health;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly workers: Workers;
  readonly services: Services;
  readonly budgets: Budgets;
  /** What every answer says. */
  readonly baseHeaders: Headers;
  /** Deletes what has expired, unless the clock is doubted. */
  readonly sweep: (options: SweepOptions) => Promise<void>;
  /** Stops the workers and writes what was counted; nothing may run any more. */
  readonly close: () => Promise<void>;
}

/** Puts the parts of a server together; the caller opens and closes the database. */
export async function createService(parts: ServiceOptions): Promise<Server> {
  const { db, clock, publicUrl, trust, maxSecretBytes, registration } = parts;
  const log = createLog({ write: parts.write, clock, level: parts.logLevel });
  db.onUnavailable((error) => log.outage(error, "database"));
  const sweeping = createSweeping({
    db,
    clock,
    monotonic: parts.monotonic ?? (() => performance.now()),
    onDoubt: (error) => log.fault(error, "sweep"),
  });
  const workers = createWorkers({ ...parts, onLost: (error) => log.outage(error, "worker") });
  const { limits = DEFAULT_LIMITS, passphrase = "optional", instance = {} } = parts;
  const tools = new Set(parts.tools ?? TOOL_NAMES);
  const organisation = parts.organisation?.({ onFault: (error) => log.outage(error, "oidc") });
  const budgets = new Budgets(parts.memoryBudget, limits);
  const health = createHealth({
    version: VERSION,
    probes: { database: shareProbe(() => db.ping()), worker: () => workers.ping(), ...parts.probes },
  });
  const metrics = createMetrics(
    createGauges({
      ...{ ...parts, health, workers, sweeping, budgets },
      // Nobody asks before the server is made.
      storedBytes: () => services.storedBytes(),
      deliveries: () => services.countDeliveries(),
      untold: () => services.countUntold(),
    }),
  );
  db.onCall(metrics.databaseCall);
  const { lanes, runJob, runImageJob } = workers;
  const usage = createUsage({ db, onFault: (error) => log.outage(error, "database") });
  const services = makeServices({
    db,
    clock,
    publicUrl,
    registration,
    anonymous: parts.anonymous,
    ...{ limits, passphrase, tools, instance: describeInstance(instance) },
    embedded: parts.authenticate && new RememberedUsers(parts.authenticate),
    login: loginOf(parts, organisation),
    passwords: createPasswords({ lane: lanes.passwords, cost: parts.passwordCost }),
    lanes,
    runJob,
    runImageJob,
    catalogue: makeCatalogue({ tools, limits }),
    explainError,
    onToolCall: metrics.toolCall,
    usage,
    onSecurityEvent: (event) => {
      log.security(event);
      parts.onSecurityEvent?.(event);
    },
    maxSecretBytes,
    instanceKey: parts.instanceKey,
  });
  const baseHeaders = securityHeaders(parts);
  const pages = await openPages({ build: parts.buildPages ?? false, note: log.info });
  const app = createApp({
    services,
    budgets,
    trust,
    baseHeaders,
    log,
    health,
    metrics,
    pages,
    logo: instance.logo,
    isIndexed: parts.index === "on",
    organisation,
  });
  return {
    app,
    health,
    log,
    metrics,
    workers,
    services,
    budgets,
    baseHeaders,
    sweep: sweeping.sweep,
    close: async () => {
      await workers.close();
      await usage.stop();
    },
  };
}

function loginOf(
  { passwordLogin, authenticate, requireSecondFactor }: ServiceOptions,
  organisation: OrganisationLogin | undefined,
): Services["login"] {
  const passwords = passwordLogin !== "off" && !authenticate;
  const isDecided = organisation !== undefined && organisation.rules.length + organisation.admins.length > 0;
  return {
    passwords,
    needsSecondFactor: requireSecondFactor === "members",
    confirmedSeconds: !passwords && isDecided ? organisation.maxAge : null,
    oidc: organisation?.provider ?? null,
  };
}
