import type { Database } from "../../db/open.ts";
import { type Authenticate, RememberedUsers } from "../../router/accounts/embedded.ts";
import type { Services } from "../../router/context.ts";
import type { SecurityEvent } from "../../router/meta.ts";
import { Watch } from "../../router/events/watch.ts";
import { createUsage } from "../../router/policy/usage.ts";
import { makeServices } from "../../router/services.ts";
import { type SweepOptions, createSweeper } from "../../router/sweeper.ts";
import { limitsOf } from "../config/limits.ts";
import type { Config } from "../config/settings.ts";
import { Budgets } from "./call-budget.ts";
import { explainErrors } from "./explain-error.ts";
import { createApp, type ServiceApp } from "./app.ts";
import { createHealth, shareProbe, type Health } from "../operations/health.ts";
import { createGauges } from "../operations/gauges.ts";
import { createHooks } from "../operations/hooks/hooks.ts";
import { createLog, type Log } from "../operations/log.ts";
import { createMetrics, type Metrics } from "../operations/metrics.ts";
import { openPages } from "./pages/files.ts";
import { createPasswords, type ScryptCost } from "../workers/passwords.ts";
import { createWorkers, type Workers } from "../workers/workers.ts";
import type { OrganizationLogin } from "./login/oidc-routes.ts";
import { organizationOf } from "./login/provider.ts";
import { makeCatalogue } from "./catalogue.ts";
import { describeInstance, type Logo } from "./pages/instance.ts";
import { VERSION } from "../operations/version.ts";
import { BASE_HEADERS } from "../trpc/request.ts";

export interface ServiceOptions {
  readonly config: Config;
  readonly db: Database;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds of a clock that cannot be set; tests have one of their own. */
  readonly monotonic?: () => number;
  /** 32 bytes that the database does not contain. */
  readonly instanceKey: Uint8Array<ArrayBuffer>;
  /** Tells who makes a request, where an embedding program knows its users. */
  readonly authenticate?: Authenticate | undefined;
  /** More parts by name, each with a function that rejects while it does not work. */
  readonly probes?: Readonly<Record<string, () => Promise<void>>> | undefined;
  /** Called in addition to the log for what an operator may want an alert for. */
  readonly onSecurityEvent?: (event: SecurityEvent) => void;
  /** The image that config.instanceLogo names. */
  readonly logo: Logo | undefined;
  /** The cost of new password hashes; tests make them cheap. */
  readonly passwordCost?: ScryptCost;
  /** Whether to build the pages where they are missing or older than their sources. */
  readonly buildPages?: boolean;
  readonly write: (line: string) => void;
}

/** A service on its database, not listening yet. */
export interface Server {
  readonly app: ServiceApp;
  readonly health: Health;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly workers: Workers;
  readonly services: Services;
  readonly budgets: Budgets;
  /** Headers of every answer. */
  readonly baseHeaders: Headers;
  /** Deletes what has expired, unless the clock is doubted. */
  readonly sweep: (options: SweepOptions) => Promise<void>;
  /** Stops the workers and writes the counters; no call may be running. */
  readonly close: () => Promise<void>;
}

/** Assembles a server; the caller opens and closes the database. */
export async function createService(parts: ServiceOptions): Promise<Server> {
  const { config, db, clock, logo } = parts;
  const log = createLog({ write: parts.write, clock, level: config.logLevel });
  db.onUnavailable((error) => log.outage(error, "database"));
  const sweeper = createSweeper({
    db,
    clock,
    monotonic: parts.monotonic ?? (() => performance.now()),
    onDoubt: (error) => log.fault(error, "sweep"),
  });
  const workers = createWorkers({ ...config, onLost: (error) => log.outage(error, "worker") });
  const limits = limitsOf(config);
  const tools = new Set(config.tools);
  const organization = organizationOf(config, (error) => log.outage(error, "oidc"));
  const budgets = new Budgets(config.memoryBudget, limits);
  const onFault = (error: unknown) => log.outage(error, "database");
  const now = () => Math.floor(clock() / 1000);
  const watch = new Watch({ db, now, onFault });
  const health = createHealth({
    version: VERSION,
    // Nobody would wait for the end of what lasts an hour.
    onDraining: () => watch.end(),
    probes: { database: shareProbe(() => db.ping()), worker: () => workers.ping(), ...parts.probes },
  });
  const metrics = createMetrics(
    createGauges({
      ...config,
      db,
      health,
      workers,
      sweeper,
      budgets,
      // Called only after the server is made.
      storedBytes: () => services.storedBytes(),
      deliveries: () => services.countDeliveries(),
      pendingEvents: () => services.countPendingEvents(),
    }),
  );
  db.onCall(metrics.databaseCall);
  const { lanes, runJob, runImageJob } = workers;
  const usage = createUsage({ db, onFault });
  const services = makeServices({
    db,
    clock,
    publicUrl: config.publicUrl,
    registration: config.registration,
    anonymous: config.anonymous,
    limits,
    passphrase: config.passphrase,
    tools,
    instance: describeInstance(config, logo),
    embedded: parts.authenticate && new RememberedUsers(parts.authenticate),
    login: loginOf(parts, organization),
    hooks: config.notifyHosts === undefined ? null : createHooks(config.notifyHosts, now),
    passwords: createPasswords({ lane: lanes.passwords, cost: parts.passwordCost }),
    lanes,
    runJob,
    runImageJob,
    catalogue: makeCatalogue({ tools, limits }),
    explainError: explainErrors(limits),
    onToolCall: metrics.toolCall,
    usage,
    watch,
    onSecurityEvent: (event) => {
      log.security(event);
      parts.onSecurityEvent?.(event);
    },
    maxSecretBytes: config.maxSecretBytes,
    instanceKey: parts.instanceKey,
  });
  const baseHeaders = securityHeaders(config);
  const pages = await openPages({ build: parts.buildPages ?? false, note: log.info });
  const app = createApp({
    services,
    budgets,
    trust: config.trustProxy,
    baseHeaders,
    log,
    health,
    metrics,
    pages,
    logo,
    isIndexed: config.index === "on",
    organization,
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
    sweep: sweeper.sweep,
    close: async () => {
      watch.end();
      await workers.close();
      await usage.stop();
    },
  };
}

function loginOf(
  { config, authenticate }: ServiceOptions,
  organization: OrganizationLogin | undefined,
): Services["login"] {
  const passwords = config.passwords === "on" && !authenticate;
  const isDecided = organization !== undefined && organization.rules.length + organization.admins.length > 0;
  return {
    passwords,
    needsSecondFactor: config.requireSecondFactor === "members",
    confirmedSeconds: !passwords && isDecided ? organization.maxAge : null,
    oidc: organization?.provider ?? null,
  };
}

/** For how long browsers use only https. */
const YEAR_SECONDS = 31_536_000;

/**
 * Headers of every answer of this service, besides the adapter's. Pages and pictures add more; everything else may
 * load, run and be framed nowhere, and no other site may embed it.
 */
export function securityHeaders({ publicUrl, hsts }: Pick<Config, "publicUrl" | "hsts">): Headers {
  const headers = new Headers([
    ...BASE_HEADERS,
    ["Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Cross-Origin-Resource-Policy", "same-origin"],
  ]);
  // Browsers ignore it over http, where a service should not send it.
  if (publicUrl.startsWith("https:") && hsts !== "off")
    headers.set("Strict-Transport-Security", `max-age=${YEAR_SECONDS}${SCOPES[hsts]}`);
  return headers;
}

/** The hosts that browsers contact over https only (RFC 6797): this one, or also those below it. */
const SCOPES = { host: "", subdomains: "; includeSubDomains" } as const;
