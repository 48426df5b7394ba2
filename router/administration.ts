import { deleteMember, findMember, listMembers, resetMember } from "../db/members.ts";
import { generatePasswords } from "../tools/password.ts";
import type { Services } from "./context.ts";
import { isName, isPassword, makeMember, makeRecoveryCode } from "./policy/members.ts";
import { toTime } from "./sql-time.ts";

/** What an administrator needs of the server, which need not run for it. */
export type Office = Pick<Services, "db" | "now" | "passwords">;

/** What is shown once. */
export interface Handed {
  readonly name: string;
  /** Undefined where the administrator brought one. */
  readonly password: string | undefined;
  readonly recoveryCode: string;
}

/** An administrator's request that cannot be met, in one sentence. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

/** Makes a member, with a password of its own where none is brought. @throws AdminError */
export async function addAccount(
  { name, password }: { name: string; password?: string | undefined },
  office: Office,
): Promise<Handed> {
  if (!isName(name)) {
    throw new AdminError(
      "A name is 3 to 32 of a-z, 0-9, dot, hyphen and underscore, with a letter or digit first.",
    );
  }
  const chosen = choosePassword(password);
  const made = await makeMember({ name, password: chosen }, office);
  if (!made) throw new AdminError(`The name ${name} is taken.`);
  return { name, password: password === undefined ? chosen : undefined, recoveryCode: made.recoveryCode };
}

/** Gives a member a new password and recovery code and ends all sessions. @throws AdminError */
export async function resetAccount(
  { name, password }: { name: string; password?: string | undefined },
  office: Office,
): Promise<Handed> {
  const { db, passwords } = office;
  const { id } = await findAccount(name, office);
  const chosen = choosePassword(password);
  const { code: recoveryCode, hash: recoveryHash } = await makeRecoveryCode();
  if (!(await resetMember(db, { id, password: await passwords.hash(chosen), recoveryHash }))) {
    throw unknownName(name);
  }
  return { name, password: password === undefined ? chosen : undefined, recoveryCode };
}

/** Deletes a member with sessions and tokens, and the secrets or not. @throws AdminError */
export async function deleteAccount(
  { name, secrets }: { name: string; secrets: "keep" | "revoke" },
  office: Office,
): Promise<void> {
  const { id } = await findAccount(name, office);
  if (!(await deleteMember(office.db, { id, now: office.now(), secrets }))) throw unknownName(name);
}

/** All members by name. */
export async function listAccounts({ db }: Office): Promise<{ name: string; created: string }[]> {
  return (await listMembers(db)).map(({ name, createdAt }) => ({ name, created: toTime(createdAt) }));
}

async function findAccount(name: string, { db }: Office) {
  const member = isName(name) ? await findMember(db, { name }) : undefined;
  if (!member) throw unknownName(name);
  return member;
}

function unknownName(name: string): AdminError {
  return new AdminError(`There is no member with the name ${JSON.stringify(name.slice(0, 64))}.`);
}

function choosePassword(brought: string | undefined): string {
  if (brought === undefined) return generatePasswords({ length: 20 }).passwords[0] ?? "";
  if (!isPassword(brought)) throw new AdminError("A password is 10 to 256 characters.");
  return brought;
}
