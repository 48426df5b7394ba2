import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../router/app.ts";
import { notHushkitOf } from "./answers/not-hushkit.ts";
import { WAITS_MS } from "./ask-again.ts";

/** Sends the calls of these procedures again where the answer was lost, a few times: the server gives the same answer. */
export function againLink(paths: readonly string[]): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (!paths.includes(op.path)) return next(op);
      return observable((observer) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        let running = send(0);
        return () => {
          clearTimeout(timer);
          running.unsubscribe();
        };

        function send(tries: number) {
          return next(op).subscribe({
            next: (answer) => observer.next(answer),
            complete: () => observer.complete(),
            error: (error) => {
              const wait = WAITS_MS[tries];
              const isLost = !error.data && (notHushkitOf(error)?.isPassing ?? true);
              if (wait === undefined || !isLost || op.signal?.aborted) return observer.error(error);
              timer = setTimeout(() => (running = send(tries + 1)), wait);
            },
          });
        }
      });
    };
}
