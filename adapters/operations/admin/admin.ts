import { createHash } from "node:crypto";
import { createReadStream, closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import {
  addAccount,
  changeRole,
  deleteAccount,
  disableAccount,
  enableAccount,
  listAccounts,
  resetAccount,
  type AccountCredentials,
  type AccountOptions,
  type AdminServices,
  AdminError,
} from "../../../router/administration.ts";
import type { WayIn } from "../../../db/accounts/act-on-member.ts";
import type { Backups, RestoredSecrets } from "../../../db/backup/backups.ts";
import type { RowCount } from "../../../db/backup/move.ts";
import { toTime } from "../../../router/clock.ts";
import type { ListedMember } from "../../../db/accounts/member-list.ts";
import type { SecurityEvent } from "../../../router/meta.ts";
import { databaseUrl } from "../../config/values.ts";
import { codeOf, formatUnfit } from "../key/key-file.ts";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { getCACertificates, rootCertificates } from "node:tls";
import type { RunProgram } from "../../../db/backup/postgres-programs.ts";

/** The result of an administrator's command. */
export interface AdminReport {
  /** Names and values, one line of standard output each. */
  readonly rows: readonly (readonly [name: string, value: string | number])[];
  /** Whether something was found that needs attention. */
  readonly isWrong?: boolean;
}

/** Everything that an administrator can do. @throws AdminError and BackupRefused, with a sentence */
export function createAdmin(
  services: Omit<AdminServices, "db"> & {
    /**
     * Opens the database as the server does; not used for backups, which leave it as it is. A new one is made only for
     * a first account: for anything else a wrong DATABASE_URL would make an empty one.
     */
    readonly openDb: (options: { isNewToo: boolean }) => Promise<AdminServices["db"]>;
    readonly backups: Backups;
    /** What is wrong with the instance's key; undefined when all is well. */
    readonly findKeyFault: () => Promise<string | undefined>;
    /** Where that key is, to show to people. */
    readonly keyPlace: string;
    readonly rotateKey: (options: { isLost: boolean }) => Promise<AdminReport>;
    /** Copies everything to another, empty database: that of the settings, or of a file. */
    readonly moveTo: (options: { toFile: string | undefined }) => Promise<readonly RowCount[]>;
    /** Called for changes, so that somebody else can be alerted. */
    readonly onSecurityEvent: (event: SecurityEvent) => void;
    /** What is wrong with the login by an organization's provider, where there is one. */
    readonly findLoginFault?: (() => Promise<string | undefined>) | undefined;
    /** Records what was done to the database as a whole, where acts are recorded. */
    readonly tellAct: (event: string) => Promise<void>;
  },
) {
  const { openDb, backups, moveTo, now, onSecurityEvent, tellAct, findKeyFault, keyPlace } = services;
  const open = async ({ isNewToo = false } = {}) => ({ ...services, db: await openDb({ isNewToo }) });
  const change = async (
    event: SecurityEvent,
    row: AdminReport["rows"][number],
    work: (all: AdminServices) => Promise<void>,
  ): Promise<AdminReport> => {
    await work(await open());
    onSecurityEvent(event);
    return { rows: [row] };
  };
  return {
    async addUser(account: AccountOptions): Promise<AdminReport> {
      const credentials = await addAccount(account, await open({ isNewToo: true }));
      onSecurityEvent("account_added");
      return reportCredentials(credentials);
    },
    async resetUser(account: AccountOptions & { keep: readonly WayIn[] }): Promise<AdminReport> {
      const credentials = await resetAccount(account, await open());
      onSecurityEvent("account_reset");
      const { rows } = reportCredentials(credentials);
      const ways = Object.entries(credentials.ended) as [WayIn, number][];
      const ended = ways.map(
        ([way, count]) => [way, account.keep.includes(way) ? "kept" : `${count} ended`] as const,
      );
      return { rows: [...rows, ...ended] };
    },
    deleteUser: (account: { name: string; secrets: RestoredSecrets }) =>
      change("account_deleted", ["deleted", account.name], (all) => deleteAccount(account, all)),
    setRole: (account: { name: string; role: "admin" | "member" }) =>
      change("role_changed", [account.role, account.name], (all) => changeRole(account, all)),
    disableUser: (name: string) =>
      change("account_disabled", ["disabled", name], (all) => disableAccount(name, all)),
    enableUser: (name: string) =>
      change("account_enabled", ["enabled", name], (all) => enableAccount(name, all)),
    async listUsers(): Promise<AdminReport> {
      const members = await listAccounts(await open());
      return { rows: members.map((member) => [member.name, describeMember(member)]) };
    },
    /** Makes a backup, and says how to recognize it. */
    async backUp(file: string): Promise<AdminReport> {
      const { accounts, unread } = await backups.backUp(file, { now: now() });
      await tellAct("admin.backed_up");
      const { bytes, sha256 } = await digest(file);
      const copy = [["file", file] as const, ["bytes", bytes] as const, ["sha256", sha256] as const];
      const key = `not in the backup: keep that of ${keyPlace} too, and not beside it`;
      return { rows: [...copy, ["accounts", accounts], ["unread secrets", unread], ["key", key]] };
    },
    /** Replaces the database by a backup. */
    async restore(file: string, { secrets }: { secrets: RestoredSecrets }): Promise<AdminReport> {
      const { accounts, unread, aside } = await backups.restore(file, { now: now(), secrets });
      await tellAct("admin.restored");
      const old = aside === undefined ? [] : [["old database", aside] as const];
      const fault = await findKeyFault();
      const key = fault === undefined ? [] : [["key", fault] as const];
      return {
        rows: [["restored", file], ["accounts", accounts], ["unread secrets", unread], ...old, ...key],
      };
    },
    /** Replaces the instance's key. */
    async rotateKey(options: { isLost: boolean }): Promise<AdminReport> {
      const report = await services.rotateKey(options);
      onSecurityEvent("key_rotated");
      await tellAct("admin.key_rotated");
      return report;
    },
    async move(options: { toFile: string | undefined }): Promise<AdminReport> {
      const moved = await moveTo(options);
      await tellAct("admin.moved");
      const key = `take that of ${keyPlace} along: the other database opens with no other one`;
      return { rows: [...moved.map(({ table, rows }) => [table, rows] as const), ["key", key]] };
    },
    /** Checks the database and the login by a provider, and accepts the clock unless told not to. */
    async check({ confirm }: { confirm: boolean }): Promise<AdminReport> {
      const found = await backups.check({ now: now(), confirm });
      const key = await findKeyFault();
      const findings = [...found, { what: "key", found: key ?? "ok", isWrong: key !== undefined }];
      const fault = await services.findLoginFault?.();
      const login = services.findLoginFault ? [["login", fault ?? "ok"] as const] : [];
      return {
        rows: [...findings.map(({ what, found }) => [what, found] as const), ...login],
        isWrong: fault !== undefined || findings.some(({ isWrong }) => isWrong),
      };
    },
  };
}

function describeMember({ id, createdAt, isAdmin, disabledAt }: ListedMember): string {
  const marks = [...(isAdmin ? ["admin"] : []), ...(disabledAt === null ? [] : ["disabled"])];
  return [toTime(createdAt), id, ...marks].join("\t");
}

function reportCredentials({ name, password, recoveryCode }: AccountCredentials): AdminReport {
  const made = password === undefined ? [] : [["password", password] as const];
  return { rows: [["name", name], ...made, ["recovery code", recoveryCode]] };
}

async function digest(file: string): Promise<{ bytes: number; sha256: string }> {
  const [stream, hash] = [createReadStream(file), createHash("sha256")];
  await pipeline(stream, hash);
  return { bytes: stream.bytesRead, sha256: hash.digest("hex") };
}

/**
 * The database to copy everything to: its URL from a setting, or from a file that only its owner can read. Neither is
 * an argument, which everybody on the machine could read.
 * @throws AdminError
 */
export function readMoveTarget({
  from,
  url,
  file,
}: {
  /** The URL of the database that is moved. */
  from: string;
  url: string | undefined;
  file: string | undefined;
}): string {
  if (url !== undefined && file !== undefined)
    throw new AdminError(
      "MOVE_TO_DATABASE_URL and --to-file are both given; one of them names the other database.",
    );
  const target = url ?? (file === undefined ? undefined : readUrlFile(file));
  if (target === undefined)
    throw new AdminError(
      "The other database is missing: set MOVE_TO_DATABASE_URL, or name a file that holds its URL with --to-file FILE.",
    );
  if (target === ":memory:")
    throw new AdminError(
      "The other database is one in memory, which would be gone at once; nothing was moved.",
    );
  const isPath = !`${target}${from}`.includes("://");
  if (target !== from && !(isPath && resolve(target) === resolve(from))) return target;
  throw new AdminError("The other database is that of DATABASE_URL itself; nothing was moved.");
}

function readUrlFile(file: string): string {
  const { data } = databaseUrl.schema.safeParse(readPrivate(file).trim());
  if (data) return data;
  throw new AdminError(`--to-file: ${file} must hold ${databaseUrl.legal}.`);
}

function readPrivate(file: string): string {
  let opened: number | undefined;
  try {
    opened = openSync(file, "r");
    const fault = formatUnfit(file, fstatSync(opened));
    if (fault !== undefined) throw new AdminError(`--to-file: ${file} ${fault}`);
    return readFileSync(opened, "utf8");
  } catch (error) {
    if (error instanceof AdminError) throw error;
    throw new AdminError(`--to-file: ${file} cannot be read (${codeOf(error)}).`);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Runs one of PostgreSQL's programs. */
export const runProgram: RunProgram = async (program, args, { env = {}, list, trustsRuntime = false }) => {
  if (list === undefined && !trustsRuntime) return run(program, args, env);
  const folder = await mkdtemp(join(tmpdir(), "hushkit-"));
  const put = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  try {
    // The list goes through a file, because pg_restore cannot read it from a pipe on every system.
    const listed = list === undefined ? [] : [`--use-list=${await put("list", list)}`];
    const trusted = trustsRuntime && {
      PGSSLROOTCERT: await put("authorities", listAuthorities().join("\n")),
    };
    return await run(program, [...listed, ...args], { ...env, ...trusted });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

// A Node that trusts OpenSSL's store, as that of Debian does, lists only what it trusts besides.
function listAuthorities(): string[] {
  const listed = getCACertificates();
  const isWhole = rootCertificates.every((each) => listed.includes(each));
  return isWhole ? listed : [...listed, ...getCACertificates("system")];
}

// A program's error message may contain rows of tables, so it is never shown.
async function run(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [code, output] = await Promise.all([ended, text(child.stdout)]).catch(() => {
    throw new AdminError(`${program} cannot be started: install the client programs of PostgreSQL.`);
  });
  return code === 0 ? output : undefined;
}
