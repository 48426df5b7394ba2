import { disableMember, enableMember, resetMember, setRole } from "../db/accounts/administered.ts";
import { listMembers, type ListedMember } from "../db/accounts/member-list.ts";
import type { Act, EndedWays, WayIn } from "../db/accounts/act-on-member.ts";
import { deleteMember } from "../db/accounts/delete-member.ts";
import { findMember } from "../db/accounts/members.ts";
import { generatePasswords } from "../tools/password.ts";
import type { Requester, Services } from "./context.ts";
import { isName, isPassword, NAME_RULE, PASSWORD_RULE, weaknessOf } from "./accounts/account-rules.ts";
import { ADMINISTRATORS_PASSWORD_SECONDS, createMember } from "./accounts/members.ts";
import { makeRecoveryCode } from "./accounts/second-factor.ts";

/** The services that administration needs; it works without a running server. */
export type AdminServices = Pick<Services, "db" | "now" | "passwords"> & {
  readonly instance: Pick<Services["instance"], "name">;
};

/** How many members are read at once. */
const PAGE = 500;

const ADMINISTRATOR: Requester = { caller: "administrator" };

/** The name of an account, and optionally a password. */
export interface AccountOptions {
  readonly name: string;
  /** A random one is made where it is absent. */
  readonly password?: string | undefined;
}

/** Credentials that are shown once. */
export interface AccountCredentials {
  readonly name: string;
  /** Undefined when the administrator chose it. */
  readonly password: string | undefined;
  readonly recoveryCode: string;
}

/** Why an administrator's command fails, in one sentence. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

/** Creates a member. @throws AdminError */
export async function addAccount(
  { name, password }: AccountOptions,
  services: AdminServices,
): Promise<AccountCredentials> {
  if (!isName(name)) throw new AdminError(`A name is ${NAME_RULE}.`);
  const chosen = choosePassword(password, { ...services, name });
  const made = { name, password: chosen, requester: ADMINISTRATOR, isAdministrators: true };
  const member = await createMember(made, services);
  if (!member) throw new AdminError(`The name ${name} is taken.`);
  const { recoveryCode } = member;
  return { name, recoveryCode, password: password === undefined ? chosen : undefined };
}

/**
 * Gives a member a new password and recovery code, and ends every way into the account except those to keep.
 * @throws AdminError
 */
export async function resetAccount(
  { name, password, keep }: AccountOptions & { readonly keep: readonly WayIn[] },
  services: AdminServices,
): Promise<AccountCredentials & { readonly ended: EndedWays }> {
  const { id } = await findAccount(name, services);
  const chosen = choosePassword(password, { ...services, name });
  const renewed = await renewCredentials({ id, password: chosen, keep, requester: ADMINISTRATOR }, services);
  if (!renewed) throw unknownName(name);
  return { name, password: password === undefined ? chosen : undefined, ...renewed };
}

/**
 * Sets a member's password, which is valid for a day, and ends every way into the account except those to keep. Returns
 * the new recovery code, and how many of each have ended; undefined when there is no such member.
 */
export async function renewCredentials(
  of: Act & { password: string; keep: readonly WayIn[]; requester: Requester },
  { db, now, passwords }: Pick<AdminServices, "db" | "now" | "passwords">,
): Promise<{ recoveryCode: string; ended: EndedWays } | undefined> {
  const { password, keep, requester, ...act } = of;
  const { code: recoveryCode, hash: recoveryHash } = makeRecoveryCode();
  const hash = await passwords.hash(password, requester);
  const until = now() + ADMINISTRATORS_PASSWORD_SECONDS;
  const ended = await resetMember(db, { ...act, password: hash, until, recoveryHash, keep });
  return ended && { recoveryCode, ended };
}

/**
 * Deletes a member with all sessions and tokens, and optionally with the secrets.
 * @throws AdminError
 */
export async function deleteAccount(
  { name, secrets }: { name: string; secrets: "keep" | "revoke" },
  services: AdminServices,
): Promise<void> {
  const { id } = await findAccount(name, services);
  if (!(await deleteMember(services.db, { id, now: services.now(), secrets }))) throw unknownName(name);
}

/** Makes a member an administrator, or removes that role. @throws AdminError */
export async function changeRole(
  { name, role }: { name: string; role: "admin" | "member" },
  services: AdminServices,
): Promise<void> {
  const { id } = await findAccount(name, services);
  await setRole(services.db, id, role === "admin" ? role : null);
}

/** Disables a member until `enableAccount`. @throws AdminError */
export async function disableAccount(name: string, services: AdminServices): Promise<void> {
  const { id } = await findAccount(name, services);
  if (!(await disableMember(services.db, { id, now: services.now() }))) throw unknownName(name);
}

/** Lets a disabled member log in again. @throws AdminError */
export async function enableAccount(name: string, services: AdminServices): Promise<void> {
  const { id } = await findAccount(name, services);
  if (!(await enableMember(services.db, { id }))) throw unknownName(name);
}

/** All members, by name. */
export async function listAccounts({ db, now }: AdminServices): Promise<ListedMember[]> {
  const all: ListedMember[] = [];
  for (let hasMore = true; hasMore;) {
    const page = await listMembers(db, { now: now(), limit: PAGE, after: all.at(-1)?.name });
    all.push(...page.members);
    ({ hasMore } = page);
  }
  return all;
}

async function findAccount(name: string, { db }: AdminServices) {
  const member = isName(name) ? await findMember(db, { name }) : undefined;
  if (!member) throw unknownName(name);
  return member;
}

function unknownName(name: string): AdminError {
  return new AdminError(`There is no member with the name ${JSON.stringify(name.slice(0, 64))}.`);
}

/** A password of 131 bits, shown once to the person it is made for. */
export function randomPassword(): string {
  return generatePasswords({ length: 22 }).passwords[0] ?? "";
}

function choosePassword(
  given: string | undefined,
  of: Pick<AdminServices, "instance"> & { name: string },
): string {
  if (given === undefined) return randomPassword();
  if (!isPassword(given)) throw new AdminError(`A password is ${PASSWORD_RULE}.`);
  const weakness = weaknessOf(given, of);
  if (weakness !== undefined) throw new AdminError(`The password ${weakness}.`);
  return given;
}
