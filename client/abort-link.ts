import { TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../router/app.ts";

/**
 * Ends a call as soon as its signal does, with the reason of the signal: tRPC drops the reason where it sends JSON, and
 * a call may be waiting before it is sent again.
 */
export const abortLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const { signal } = op;
      if (!signal) return next(op).subscribe(observer);
      const end = () => observer.error(abortError(signal));
      if (signal.aborted) return end();
      signal.addEventListener("abort", end, { once: true });
      const running = next(op).subscribe(observer);
      return () => {
        signal.removeEventListener("abort", end);
        running.unsubscribe();
      };
    });

/** The error of a call whose signal has ended it; the reason is its cause. */
export function abortError<TRouter extends AnyTRPCRouter>({ reason }: AbortSignal): TRPCClientError<TRouter> {
  // Older versions of React Native have no reason, and others may have anything.
  const cause = reason instanceof Error ? reason : new Error("The call was aborted", { cause: reason });
  return TRPCClientError.from(cause);
}
