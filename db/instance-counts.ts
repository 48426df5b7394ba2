import type { Database } from "./open.ts";

interface InstanceCounts {
  members: { total: number; disabled: number; administrators: number };
  /** Members who used a session within the idle time. */
  sessions: number;
  /** Secrets that can still be opened. */
  secrets: number;
  /** Requests that can still be answered. */
  requests: number;
  /** Calls of the file tools since the hour that was asked for. */
  tools: { tool: string; succeeded: number; failed: number }[];
}

interface CountOptions {
  now: number;
  idleSeconds: number;
  /** Unix seconds of the start of an hour. */
  usedSince: number;
}

/** Counts everything. Each number comes from one index or one small table. */
export async function countInstance(db: Database, since: CountOptions): Promise<InstanceCounts> {
  const [members, sessions, secrets, requests, tools] = await Promise.all([
    countMembers(db),
    countSessions(db, since),
    countOpen(db, "secret", since),
    countOpen(db, "request", since),
    countUses(db, since),
  ]);
  return { members, sessions, secrets, requests, tools };
}

async function countMembers({ query }: Database): Promise<InstanceCounts["members"]> {
  const { total, disabled, administrators } = await query
    .selectFrom("member")
    .select(({ fn }) => [
      fn.countAll().as("total"),
      fn.count("disabled_at").as("disabled"),
      fn.count("role").as("administrators"),
    ])
    .executeTakeFirstOrThrow();
  return {
    total: Number(total),
    disabled: Number(disabled),
    administrators: Number(administrators),
  };
}

async function countSessions({ query }: Database, { now, idleSeconds }: CountOptions): Promise<number> {
  const { count } = await query
    .selectFrom("session")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("expires_at", ">", now)
    .where("last_used_at", ">", now - idleSeconds)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countOpen(
  { query }: Database,
  table: "secret" | "request",
  { now }: CountOptions,
): Promise<number> {
  const { count } = await query
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as("count"))
    .where("closed_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countUses({ query }: Database, { usedSince }: CountOptions): Promise<InstanceCounts["tools"]> {
  const rows = await query
    .selectFrom("usage")
    .select(({ fn }) => ["tool", "succeeded", fn.sum("count").as("calls")])
    .where("hour", ">=", usedSince)
    .groupBy(["tool", "succeeded"])
    .orderBy("tool")
    .execute();
  const calls = (tool: string, succeeded: number) =>
    Number(rows.find((row) => row.tool === tool && row.succeeded === succeeded)?.calls ?? 0);
  const names = [...new Set(rows.map(({ tool }) => tool))];
  return names.map((tool) => ({ tool, succeeded: calls(tool, 1), failed: calls(tool, 0) }));
}
