import { deleteMember, findMember, listMembers, resetMember } from "../db/accounts/members.ts";
import { generatePasswords } from "../tools/password.ts";
import type { Requester, Services } from "./context.ts";
import { isName, isPassword, NAME_RULE, PASSWORD_RULE } from "./policy/account-rules.ts";
import { createMember } from "./policy/members.ts";
import { makeRecoveryCode } from "./policy/recovery-code.ts";
import { toTime } from "./sql-time.ts";

/** The services that administration needs; the server does not have to run for it. */
export type AdminServices = Pick<Services, "db" | "now" | "passwords">;

const ADMINISTRATOR: Requester = { caller: "administrator" };

/** The name of an account, with a password that may be left out. */
export interface AccountOptions {
  readonly name: string;
  /** A random one is made when there is none. */
  readonly password?: string | undefined;
}

/** What is shown once. */
export interface AccountCredentials {
  readonly name: string;
  /** Undefined when the administrator chose it. */
  readonly password: string | undefined;
  readonly recoveryCode: string;
}

/** An administrator's command that cannot be carried out, in one sentence. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

/** Creates a member. @throws AdminError */
export async function addAccount(
  { name, password }: AccountOptions,
  services: AdminServices,
): Promise<AccountCredentials> {
  if (!isName(name)) throw new AdminError(`A name is ${NAME_RULE}.`);
  const chosen = choosePassword(password);
  const member = await createMember({ name, password: chosen, requester: ADMINISTRATOR }, services);
  if (!member) throw new AdminError(`The name ${name} is taken.`);
  return {
    name,
    password: password === undefined ? chosen : undefined,
    recoveryCode: member.recoveryCode,
  };
}

/** Gives a member a new password and recovery code and ends all sessions. @throws AdminError */
export async function resetAccount(
  { name, password }: AccountOptions,
  services: AdminServices,
): Promise<AccountCredentials> {
  const { db, passwords } = services;
  const { id } = await findAccount(name, services);
  const chosen = choosePassword(password);
  const { code: recoveryCode, hash: recoveryHash } = makeRecoveryCode();
  if (!(await resetMember(db, { id, password: await passwords.hash(chosen, ADMINISTRATOR), recoveryHash }))) {
    throw unknownName(name);
  }
  return { name, password: password === undefined ? chosen : undefined, recoveryCode };
}

/** Deletes a member with all sessions and tokens, and with the secrets or without. @throws AdminError */
export async function deleteAccount(
  { name, secrets }: { name: string; secrets: "keep" | "revoke" },
  services: AdminServices,
): Promise<void> {
  const { id } = await findAccount(name, services);
  if (!(await deleteMember(services.db, { id, now: services.now(), secrets }))) throw unknownName(name);
}

/** All members, by name. */
export async function listAccounts({ db }: AdminServices): Promise<{ name: string; created: string }[]> {
  return (await listMembers(db)).map(({ name, createdAt }) => ({ name, created: toTime(createdAt) }));
}

async function findAccount(name: string, { db }: AdminServices) {
  const member = isName(name) ? await findMember(db, { name }) : undefined;
  if (!member) throw unknownName(name);
  return member;
}

function unknownName(name: string): AdminError {
  return new AdminError(`There is no member with the name ${JSON.stringify(name.slice(0, 64))}.`);
}

function choosePassword(given: string | undefined): string {
  if (given === undefined) return generatePasswords({ length: 20 }).passwords[0] ?? "";
  if (!isPassword(given)) throw new AdminError(`A password is ${PASSWORD_RULE}.`);
  return given;
}
