import { inspect } from "node:util";
import { openAudit } from "./adapters/operations/audit.ts";
import { createLog } from "./adapters/operations/log.ts";
import { createAdmin, type Admin, type AdminReport } from "./adapters/operations/admin/admin.ts";
import { rotateKey } from "./adapters/operations/admin/rotate-key.ts";
import { runProgram } from "./adapters/operations/admin/run-program.ts";
import { describePlace, findKeyFault } from "./adapters/operations/instance-key.ts";
import { KeyRefused } from "./adapters/operations/key-file.ts";
import { ConfigError, readConfig } from "./adapters/config/config.ts";
import { organisationOf } from "./adapters/config/limits.ts";
import { createPasswords } from "./adapters/workers/passwords.ts";
import { BackupRefused } from "./db/backup/backups.ts";
import { moveDatabase, openBackups } from "./db/backup/open.ts";
import { openDatabase, tellUnopened, type Database } from "./db/open.ts";
import { AdminError } from "./router/administration.ts";

export type AdminWork = (admin: Admin) => Promise<AdminReport>;

/**
 * Works on the database of DATABASE_URL, which the server may have open meanwhile. Answers the exit code (0 done, 1
 * impossible, or something is wrong), lines of standard output, and lines of standard error: what was changed, as the
 * log has it, and why no more was.
 */
export async function administer(
  env: Readonly<Record<string, string | undefined>>,
  work: AdminWork,
): Promise<{ exitCode: 0 | 1; out: readonly string[]; err: readonly string[] }> {
  const err: string[] = [];
  try {
    const { rows, isWrong } = await withAdmin(env, { work, onLine: (line) => void err.push(line) });
    return { exitCode: isWrong ? 1 : 0, out: rows.map((row) => row.join("\t")), err };
  } catch (error) {
    return { exitCode: 1, out: [], err: [...err, reasonOf(error)] };
  }
}

async function withAdmin(
  env: Readonly<Record<string, string | undefined>>,
  { work, onLine }: { work: AdminWork; onLine: (line: string) => void },
): Promise<AdminReport> {
  const config = readConfig(env);
  const { databaseUrl, auditLog } = config;
  const clock = () => Date.now();
  const log = createLog({ write: onLine, clock });
  const onFault = (error: unknown) => log.outage(error, "audit");
  const audit = auditLog === "off" ? undefined : openAudit({ to: auditLog, clock, write: onLine, onFault });
  const backups = openBackups(databaseUrl, { run: runProgram });
  let opened: Promise<Database> | undefined;
  const admin = createAdmin({
    openDb: () => (opened ??= openDatabase(databaseUrl)),
    backups,
    moveTo: (url) => moveDatabase(backups, { url, backups: openBackups(url, { run: runProgram }) }),
    findKeyFault: async () => findKeyFault(config, { check: await backups.readKeyCheck() }),
    keyPlace: describePlace(config),
    rotateKey: ({ isLost }) => rotateKey({ keys: config, alone: backups.change, isLost }),
    now: () => Math.floor(Date.now() / 1000),
    passwords: createPasswords({ lane: { run: (_, job) => job() } }),
    findLoginFault: organisationOf(config, { onFault: (error) => log.outage(error, "oidc") })?.provider
      .findFault,
    onSecurityEvent: log.security,
    onAct: audit?.act,
  });
  return work(admin).finally(async () => {
    await audit?.close();
    await (await opened)?.close();
  });
}

function reasonOf(error: unknown): string {
  const unopened = tellUnopened(error);
  if (unopened !== undefined) return unopened;
  if (!(error instanceof Error)) return inspect(error);
  const isSentence = [AdminError, ConfigError, BackupRefused, KeyRefused].some(
    (kind) => error instanceof kind,
  );
  if (isSentence) return error.message;
  // Of the system or of the database, and about no content.
  if ("code" in error) return `The administration cannot go on: ${error.message}`;
  return inspect(error);
}
