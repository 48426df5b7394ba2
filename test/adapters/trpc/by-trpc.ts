import type { AnyTRPCRouter } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";

/** Answers as tRPC's own handler does, to compare with. */
export function byTrpc(router: AnyTRPCRouter, createContext: (about: { request: Request }) => object) {
  return (req: Request) =>
    fetchRequestHandler({
      endpoint: "/trpc",
      router,
      req,
      createContext: () => createContext({ request: req }),
    });
}
