import type { RunningServer } from "./server.ts";

/** Of the 60 tool calls that an address has: a call that has arrived is counted already. */
export async function callsLeft({ url }: RunningServer): Promise<number> {
  const response = await fetch(`${url}/api/tools`);
  const { limits } = (await response.json()) as { limits: { calls: { remaining: number } } };
  return limits.calls.remaining;
}
