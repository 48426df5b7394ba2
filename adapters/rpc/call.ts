import type { Context } from "../../router/context.ts";
import { tooLarge } from "../../router/errors.ts";
import { LIMITS } from "../../router/limits.ts";
import type { ReadOptions } from "../http/request-body.ts";

const OVERHEAD_BYTES = 1024 * 1024;

/** The procedures that a /trpc path names; a batch names several. */
export function calledProcedures({ pathname }: URL): string[] {
  try {
    return decodeURIComponent(pathname.replace(/^\/trpc\//, "")).split(",");
  } catch {
    return [];
  }
}

/** How large the body of a call may be: `factor` is what its encoding adds to the bytes of files. */
export async function bodyLimit({ identify }: Context, factor: number): Promise<ReadOptions> {
  const { tier } = await identify();
  const value = LIMITS[tier].totalSize;
  const about = { what: "The call", limit: "totalSize", value, unit: "bytes", tier };
  const tokenValue = LIMITS.member.totalSize;
  return {
    limit: Math.ceil(value * factor) + OVERHEAD_BYTES,
    tooLarge: (actual) => tooLarge("total_too_large", { ...about, actual, tokenValue }),
  };
}
