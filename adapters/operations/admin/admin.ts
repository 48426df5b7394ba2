import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import {
  addAccount,
  deleteAccount,
  listAccounts,
  resetAccount,
  type AccountCredentials,
  type AccountOptions,
  type AdminServices,
} from "../../../router/administration.ts";
import type { Backups, KeepOrRevoke } from "../../../db/backup/backups.ts";
import type { Moved } from "../../../db/backup/move.ts";
import type { SecurityEvent } from "../../../router/policy/security-events.ts";

/** What came of an administrator's work. */
export interface AdminReport {
  /** Names and values, a line of standard output each. */
  readonly rows: readonly (readonly [name: string, value: string | number])[];
  /** Whether something was found that somebody has to look at. */
  readonly isWrong?: boolean;
}

export type Admin = ReturnType<typeof createAdmin>;

/** All that an administrator can do. @throws AdminError and BackupRefused, with a sentence */
export function createAdmin(
  services: Omit<AdminServices, "db"> & {
    /** Opens the database as the server does; not for backups, which leave it as it is. */
    readonly openDb: () => Promise<AdminServices["db"]>;
    readonly backups: Backups;
    /** Copies everything to the database at a URL, which must be empty. */
    readonly moveTo: (url: string) => Promise<readonly Moved[]>;
    /** Called for what was changed, so that somebody else can be alerted. */
    readonly onSecurityEvent: (event: SecurityEvent) => void;
  },
) {
  const { openDb, backups, moveTo, now, onSecurityEvent } = services;
  const open = async () => ({ ...services, db: await openDb() });
  return {
    async addUser(account: AccountOptions): Promise<AdminReport> {
      const credentials = await addAccount(account, await open());
      onSecurityEvent("account_added");
      return reportCredentials(credentials);
    },
    async resetUser(account: AccountOptions): Promise<AdminReport> {
      const credentials = await resetAccount(account, await open());
      onSecurityEvent("account_reset");
      return reportCredentials(credentials);
    },
    async deleteUser(account: { name: string; secrets: KeepOrRevoke }): Promise<AdminReport> {
      await deleteAccount(account, await open());
      onSecurityEvent("account_deleted");
      return { rows: [["deleted", account.name]] };
    },
    async listUsers(): Promise<AdminReport> {
      const members = await listAccounts(await open());
      return { rows: members.map(({ name, created }) => [name, created]) };
    },
    /** Makes a backup, and tells by what it can be known again. */
    async backUp(file: string): Promise<AdminReport> {
      const { accounts, unread } = await backups.backUp(file, { now: now() });
      const { bytes, sha256 } = await digest(file);
      const copy = [["file", file] as const, ["bytes", bytes] as const, ["sha256", sha256] as const];
      return { rows: [...copy, ["accounts", accounts], ["unread secrets", unread]] };
    },
    /** Puts a backup in the place of the database. */
    async restore(file: string, { secrets }: { secrets: KeepOrRevoke }): Promise<AdminReport> {
      const { accounts, unread, aside } = await backups.restore(file, { now: now(), secrets });
      const old = aside === undefined ? [] : [["old database", aside] as const];
      return { rows: [["restored", file], ["accounts", accounts], ["unread secrets", unread], ...old] };
    },
    async move(url: string): Promise<AdminReport> {
      return { rows: (await moveTo(url)).map(({ table, rows }) => [table, rows]) };
    },
    /** Looks whether the database is sound, and confirms the clock unless that is unwanted. */
    async check({ confirm }: { confirm: boolean }): Promise<AdminReport> {
      const findings = await backups.check({ now: now(), confirm });
      return {
        rows: findings.map(({ what, found }) => [what, found]),
        isWrong: findings.some(({ isWrong }) => isWrong),
      };
    },
  };
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
