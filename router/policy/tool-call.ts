import { countUse } from "../../db/usage.ts";
import type { Caller, CallerContext, Context } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { LIMITS, SITE_FACTOR } from "../limits.ts";
import type { ToolMeta } from "../meta.ts";
import { countedBy } from "./count.ts";

interface ToolCall<Result> {
  readonly tool: ToolMeta | undefined;
  readonly run: () => Promise<Result>;
}

/**
 * Runs a tool within the caller's share of calls and memory, and counts whether it succeeded.
 * @throws ApiError too_many_concurrent
 */
export async function runToolCall<Result extends { readonly ok: boolean }>(
  ctx: CallerContext,
  { tool, run }: ToolCall<Result>,
): Promise<Result> {
  claimCall(ctx);
  ctx.weighBody(tool?.weight ?? 1);
  const result = await run();
  await countToolCall(ctx, { tool: tool?.name ?? "", succeeded: result.ok });
  return result;
}

/** Counts the request among the calls that its caller runs at once. @throws ApiError too_many_concurrent */
export function claimCall(ctx: CallerContext): void {
  ctx.startCall(() => startCall(ctx, LIMITS[ctx.caller.tier].concurrentCalls));
}

function startCall(ctx: CallerContext, limit: number): () => void {
  const { who, site } = countedBy(ctx);
  const finish = ctx.services.startCall(who, limit);
  if (finish && site === undefined) return finish;
  const finishSite = finish && site && ctx.services.startCall(site, SITE_FACTOR * limit);
  if (finishSite) return () => [finish, finishSite].forEach((end) => end());
  finish?.();
  throw tooManyAtOnce(ctx.caller, limit);
}

async function countToolCall(ctx: Context, use: { tool: string; succeeded: boolean }): Promise<void> {
  const { db, now, onToolCall } = ctx.services;
  onToolCall(use);
  const hour = Math.floor(now() / 3600) * 3600;
  await countUse(db, { ...use, address: ctx.address.usage, hour });
}

function tooManyAtOnce({ tier }: Caller, value: number): ApiError {
  return new ApiError(
    "too_many_concurrent",
    `At most ${value} tool calls and downloads at once; wait for one to end`,
    {
      limit: "concurrentCalls",
      value,
      unit: "calls",
      window: 0,
      remaining: 0,
      retryAfter: 1,
      tier,
    },
  );
}
