import { countUse } from "../../db/usage.ts";
import type { CallerContext, Context } from "../context.ts";
import type { ToolMeta } from "../meta.ts";

/**
 * Runs a tool within the caller's share of calls and memory, and counts whether it succeeded.
 * @throws ApiError too_many_concurrent
 */
export async function runToolCall<Result extends { readonly ok: boolean }>(
  ctx: CallerContext,
  { tool, run }: { tool: ToolMeta | undefined; run: () => Promise<Result> },
): Promise<Result> {
  ctx.budget.claimPlace();
  ctx.budget.claimBody(tool?.weight ?? 1);
  const result = await run();
  await countToolCall(ctx, { tool: tool?.name ?? "", succeeded: result.ok });
  return result;
}

async function countToolCall(ctx: Context, use: { tool: string; succeeded: boolean }): Promise<void> {
  const { db, now, onToolCall } = ctx.services;
  onToolCall(use);
  const hour = Math.floor(now() / 3600) * 3600;
  await countUse(db, { ...use, address: ctx.address.usage, hour });
}
