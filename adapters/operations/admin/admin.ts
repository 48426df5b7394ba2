import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
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
} from "../../../router/administration.ts";
import type { WayIn } from "../../../db/accounts/ways-in.ts";
import type { Backups, KeepOrRevoke } from "../../../db/backup/backups.ts";
import type { Moved } from "../../../db/backup/move.ts";
import { toTime } from "../../../router/clock.ts";
import type { ListedMember } from "../../../db/accounts/member-list.ts";
import type { SecurityEvent } from "../../../router/meta.ts";

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
    /** What is wrong with the key of the instance; undefined when all is well. */
    readonly findKeyFault: () => Promise<string | undefined>;
    /** Where that key is, for people. */
    readonly keyPlace: string;
    readonly rotateKey: (options: { isLost: boolean }) => Promise<AdminReport>;
    /** Copies everything to another database, which must be empty: to that of the settings, or of a file. */
    readonly moveTo: (options: { toFile: string | undefined }) => Promise<readonly Moved[]>;
    /** Called for what was changed, so that somebody else can be alerted. */
    readonly onSecurityEvent: (event: SecurityEvent) => void;
    /** A sentence about what is wrong with the login by an organisation's provider, where there is one. */
    readonly findLoginFault?: (() => Promise<string | undefined>) | undefined;
    /** Writes down what was done to the database as a whole, where somebody has to know. */
    readonly tellAct: (event: string) => Promise<void>;
  },
) {
  const { openDb, backups, moveTo, now, onSecurityEvent, tellAct, findKeyFault, keyPlace } = services;
  const open = async () => ({ ...services, db: await openDb() });
  return {
    async addUser(account: AccountOptions): Promise<AdminReport> {
      const credentials = await addAccount(account, await open());
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
    async deleteUser(account: { name: string; secrets: KeepOrRevoke }): Promise<AdminReport> {
      await deleteAccount(account, await open());
      onSecurityEvent("account_deleted");
      return { rows: [["deleted", account.name]] };
    },
    async setRole(account: { name: string; role: "admin" | "member" }): Promise<AdminReport> {
      await changeRole(account, await open());
      onSecurityEvent("role_changed");
      return { rows: [[account.role, account.name]] };
    },
    async disableUser(name: string): Promise<AdminReport> {
      await disableAccount(name, await open());
      onSecurityEvent("account_disabled");
      return { rows: [["disabled", name]] };
    },
    async enableUser(name: string): Promise<AdminReport> {
      await enableAccount(name, await open());
      onSecurityEvent("account_enabled");
      return { rows: [["enabled", name]] };
    },
    async listUsers(): Promise<AdminReport> {
      const members = await listAccounts(await open());
      return { rows: members.map((member) => [member.name, describeMember(member)]) };
    },
    /** Makes a backup, and tells by what it can be known again. */
    async backUp(file: string): Promise<AdminReport> {
      const { accounts, unread } = await backups.backUp(file, { now: now() });
      await tellAct("admin.backed_up");
      const { bytes, sha256 } = await digest(file);
      const copy = [["file", file] as const, ["bytes", bytes] as const, ["sha256", sha256] as const];
      const key = `not in the backup: keep that of ${keyPlace} too, and not beside it`;
      return { rows: [...copy, ["accounts", accounts], ["unread secrets", unread], ["key", key]] };
    },
    /** Puts a backup in the place of the database. */
    async restore(file: string, { secrets }: { secrets: KeepOrRevoke }): Promise<AdminReport> {
      const { accounts, unread, aside } = await backups.restore(file, { now: now(), secrets });
      await tellAct("admin.restored");
      const old = aside === undefined ? [] : [["old database", aside] as const];
      const fault = await findKeyFault();
      const key = fault === undefined ? [] : [["key", fault] as const];
      return {
        rows: [["restored", file], ["accounts", accounts], ["unread secrets", unread], ...old, ...key],
      };
    },
    /** Puts another key in the place of that of the instance. */
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
    /** Looks whether the database is sound and people could log in by a provider, and confirms the clock unless that is unwanted. */
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

function describeMember({ createdAt, isAdmin, disabledAt }: ListedMember): string {
  const marks = [...(isAdmin ? ["admin"] : []), ...(disabledAt === null ? [] : ["disabled"])];
  return [toTime(createdAt), ...marks].join("\t");
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
