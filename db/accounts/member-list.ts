import { sql } from "kysely";
import type { Database } from "../open.ts";
import { workInSteps } from "../sweep/sweep-steps.ts";

/** What administrators see of a member: counts and times, no content. */
export interface ListedMember {
  id: string;
  name: string;
  /** Unix seconds, as below. */
  createdAt: number;
  /** Null for a member who is not disabled. */
  disabledAt: number | null;
  /** The last use of an existing session or token; null where there is none. */
  lastUsedAt: number | null;
  isAdmin: boolean;
  hasPassword: boolean;
  hasTotp: boolean;
  passkeys: number;
  tokens: number;
  /** Secrets that can still be opened. */
  secrets: number;
}

/** Which members to list: `limit` of them after a name, whose names contain a text, disabled or not. */
interface MemberPage {
  now: number;
  limit: number;
  after?: string | undefined;
  name?: string | undefined;
  isDisabled?: boolean | undefined;
}

/** Members by name, and whether there are more. */
export async function listMembers(
  db: Database,
  page: MemberPage,
): Promise<{ members: ListedMember[]; hasMore: boolean }> {
  const rows = await selectPage(db, page).execute();
  const members = rows.slice(0, page.limit).map(({ session_used_at, token_used_at, ...row }) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    lastUsedAt: latest(session_used_at, token_used_at),
    isAdmin: row.role === "admin",
    hasPassword: row.password !== "",
    hasTotp: row.totp_since !== null,
    passkeys: row.passkeys ?? 0,
    tokens: row.tokens ?? 0,
    secrets: Number(row.secrets ?? 0),
  }));
  for (const member of members)
    if (member.secrets > MOST_AT_ONCE) member.secrets = await countSecrets(db, member.id, page.now);
  return { members, hasMore: rows.length > page.limit };
}

/** So many secrets of each member are counted with the page; more would block everybody on SQLite. */
const MOST_AT_ONCE = 1_000;

async function countSecrets(db: Database, owner: string, now: number): Promise<number> {
  let [count, after] = [0, ""];
  const step = async (most: number) => {
    const rows = await db.query
      .selectFrom("secret")
      .select(["id", "expires_at"])
      .where("owner", "=", owner)
      .where("closed_at", "is", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(most)
      .execute();
    for (const { expires_at: expiresAt } of rows) if (expiresAt > now) count++;
    after = rows.at(-1)?.id ?? after;
    return rows.length;
  };
  await workInSteps(db, { step, isAwaited: true });
  return count;
}

// One more row than asked for shows whether there is a next page.
function selectPage({ query }: Database, { now, limit, after, name, isDisabled }: MemberPage) {
  let rows = query
    .selectFrom("member")
    .select(["id", "name", "created_at", "disabled_at", "role", "password", "totp_since"])
    .select(({ selectFrom }) => [
      selectFrom("session")
        .select(({ fn }) => fn.max("session.last_used_at").as("at"))
        .whereRef("session.member", "=", "member.id")
        .as("session_used_at"),
      selectFrom("token")
        .select(({ fn }) => fn.max("token.last_used_at").as("at"))
        .whereRef("token.member", "=", "member.id")
        .as("token_used_at"),
      selectFrom("passkey")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("passkey.member", "=", "member.id")
        .as("passkeys"),
      selectFrom("token")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("token.member", "=", "member.id")
        .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
        .as("tokens"),
      selectFrom((first) =>
        first
          .selectFrom("secret")
          .select("secret.id")
          .whereRef("secret.owner", "=", "member.id")
          .where("closed_at", "is", null)
          .where("expires_at", ">", now)
          .limit(MOST_AT_ONCE + 1)
          .as("open"),
      )
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("secrets"),
    ]);
  if (after !== undefined) rows = rows.where("name", ">", after);
  if (name !== undefined) rows = rows.where(sql<boolean>`name like ${patternOf(name)} escape '!'`);
  if (isDisabled !== undefined) rows = rows.where("disabled_at", isDisabled ? "is not" : "is", null);
  return rows.orderBy("name").limit(limit + 1);
}

// An underscore in a name is escaped: in a pattern it matches any character.
function patternOf(part: string): string {
  return `%${part.replace(/[!%_]/g, "!$&")}%`;
}

function latest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}
