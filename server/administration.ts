import { inspect } from "node:util";
import { openAuditLog, type AuditLog } from "../adapters/operations/outbox/audit-log.ts";
import { formatLine, writeAllDue } from "../adapters/operations/outbox/audit.ts";
import { createLog } from "../adapters/operations/log.ts";
import {
  createAdmin,
  type AdminReport,
  readMoveTarget,
  runProgram,
} from "../adapters/operations/admin/admin.ts";
import { rotateKey } from "../adapters/operations/key/rotate-key.ts";
import { describePlace, findKeyFault } from "../adapters/operations/key/instance-key.ts";
import { KeyRefused } from "../adapters/operations/key/key-file.ts";
import { ConfigError, readConfig } from "../adapters/config/config.ts";
import type { Config } from "../adapters/config/settings.ts";
import { createPasswords } from "../adapters/workers/passwords.ts";
import { BackupRefused } from "../db/backup/backups.ts";
import { moveDatabase, openBackups, requireNewest } from "../db/backup/open.ts";
import { readKeyCheck } from "../db/installation.ts";
import { openDatabase, formatUnopened, type Database } from "../db/open.ts";
import { actingAs } from "../db/running-call.ts";
import { openOutbox } from "../db/outbox/outbox.ts";
import { alsoRecordEvents } from "../db/outbox/triggers.ts";
import { AdminError } from "../router/administration.ts";

const IN_MEMORY =
  "DATABASE_URL names a database in memory, which is gone with its process; name the file or the PostgreSQL to work on.";

export type AdminWork = (admin: ReturnType<typeof createAdmin>) => Promise<AdminReport>;

/**
 * Works on the database of DATABASE_URL, which the server may have open meanwhile. Returns the exit code (0 done, 1
 * impossible, or something is wrong), the lines of standard output, and the lines of standard error: what was changed,
 * as in the log, and why the rest was not.
 */
export async function administer(
  env: Readonly<Record<string, string | undefined>>,
  work: AdminWork,
): Promise<{ exitCode: 0 | 1; out: readonly string[]; err: readonly string[] }> {
  const err: string[] = [];
  try {
    const { rows, isWrong } = await withAdmin(env, work, (line) => void err.push(line));
    return { exitCode: isWrong ? 1 : 0, out: rows.map((row) => row.join("\t")), err };
  } catch (error) {
    return { exitCode: 1, out: [], err: [...err, reasonOf(error)] };
  }
}

async function withAdmin(
  env: Readonly<Record<string, string | undefined>>,
  work: AdminWork,
  onLine: (line: string) => void,
): Promise<AdminReport> {
  const config = readConfig(env);
  const { databaseUrl, auditLog: to } = config;
  if (databaseUrl === ":memory:") throw new AdminError(IN_MEMORY);
  const log = createLog({ write: onLine, clock: () => Date.now() });
  const write = (lines: string) => lines.split("\n").slice(0, -1).forEach(onLine);
  const audit =
    to === "off" ? undefined : { log: await openAuditLog({ to, write }), isMixed: to === "stdout" };
  const backups = openBackups(databaseUrl, runProgram);
  let opened: Promise<Database> | undefined;
  const admin = createAdmin({
    openDb: async ({ isNewToo }) => {
      if (!isNewToo) await requireNewest(backups);
      return (opened ??= openAudited(databaseUrl, audit));
    },
    backups,
    moveTo: async ({ toFile }) => {
      const url = readMoveTarget({ from: databaseUrl, url: config.moveToDatabaseUrl, file: toFile });
      return moveDatabase(backups, { url, backups: openBackups(url, runProgram) });
    },
    findKeyFault: async () => findKeyFault(config, await backups.readShared(readKeyCheck)),
    keyPlace: describePlace(config),
    instance: { name: config.instanceName },
    rotateKey: ({ isLost }) => rotateKey({ keys: config, alone: backups.changeAlone, isLost }),
    now,
    passwords: createPasswords({ lane: { run: (_, job) => job() } }),
    findLoginFault:
      config.oidcIssuer === undefined
        ? undefined
        : () => findLoginFault(config, (error) => log.outage(error, "oidc")),
    onSecurityEvent: log.security,
    tellAct: async (event) => {
      const act = { id: newId(), event, account: null, happenedAt: now() };
      // What is done is done, and its report must be seen: the line then goes where the log is.
      await audit?.log.append(formatLine(act, audit)).catch((error: unknown) => {
        log.outage(error, "audit");
        write(formatLine(act, { isMixed: true }));
      });
    },
  });
  return actingAs({ admin: 1 }, () => work(admin)).finally(async () => {
    const db = await opened?.catch(() => undefined);
    // Standard output belongs to the server, which writes events within seconds.
    if (db && audit && !audit.isMixed)
      await writeAllDue({ ...audit, outbox: openOutbox(db, "audit"), now }).catch((error: unknown) =>
        log.outage(error, "audit"),
      );
    await audit?.log.close();
    await db?.close();
  });
}

// The OpenID Connect code is loaded only here.
async function findLoginFault(config: Config, onFault: (error: unknown) => void) {
  const { organizationOf } = await import("../adapters/service/login/provider.ts");
  return organizationOf(config, onFault)?.provider.findFault();
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function newId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Changes made here are recorded in their own transaction, even if no server has run yet. */
async function openAudited(url: string, audit: { log: AuditLog } | undefined): Promise<Database> {
  const db = await openDatabase(url);
  if (audit) await alsoRecordEvents(db, "audit");
  return db;
}

function reasonOf(error: unknown): string {
  const unopened = formatUnopened(error);
  if (unopened !== undefined) return unopened;
  if (!(error instanceof Error)) return inspect(error);
  const isSentence = [AdminError, ConfigError, BackupRefused, KeyRefused].some(
    (kind) => error instanceof kind,
  );
  if (isSentence) return error.message;
  // An error of the system or the database, which contains no user's content.
  if ("code" in error) return `The administration cannot go on: ${error.message}`;
  return inspect(error);
}
