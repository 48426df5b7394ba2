import type { CallerContext } from "../context.ts";
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
  const { now, onToolCall, usage } = ctx.services;
  const call = { tool: tool?.name ?? "", succeeded: result.ok };
  onToolCall(call);
  usage.count({ ...call, address: ctx.address.usage, hour: Math.floor(now() / 3600) * 3600 });
  return result;
}
