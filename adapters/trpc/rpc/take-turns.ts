import { setImmediate } from "node:timers";
import type { TRPCRequestInfo } from "@trpc/server/http";

/**
 * Has each call of a batch wait for a turn of the event loop of its own before it works on its input. tRPC 11.25 starts all
 * of them at once (unstable-core-do-not-import/http/resolveResponse.ts), and what ten of them do without a wait would
 * be one turn, in which nobody else is answered.
 */
export function takeTurns(calls: TRPCRequestInfo["calls"]): void {
  if (calls.length < 2) return;
  let last = Promise.resolve();
  for (const call of calls) {
    const read = call.getRawInput;
    call.getRawInput = async () => {
      const input = await read();
      await (last = last.then(nextTurn));
      return input;
    };
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
