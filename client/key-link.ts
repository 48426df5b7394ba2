import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../router/app.ts";
import { makeTicket } from "./delivery-link.ts";

/**
 * Gives each call that changes something at these paths an idempotency key of its own: sent again after its answer was lost,
 * the same input has the same one.
 */
export function keyLink(paths: RegExp): TRPCLink<AppRouter> {
  return () => {
    let lost: { readonly call: string; readonly idempotencyKey: string } | undefined;
    return ({ op, next }) => {
      if (op.type !== "mutation" || !paths.test(op.path)) return next(op);
      const call = JSON.stringify([op.path, op.input]);
      const idempotencyKey = lost?.call === call ? lost.idempotencyKey : makeTicket();
      return observable((observer) =>
        next({ ...op, context: { ...op.context, idempotencyKey } }).subscribe({
          next: (answer) => observer.next(answer),
          complete: () => observer.complete(),
          error: (error) => {
            lost = error.data ? undefined : { call, idempotencyKey };
            observer.error(error);
          },
        }),
      );
    };
  };
}
