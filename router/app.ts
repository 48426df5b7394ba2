import type { AnyTRPCProcedure } from "@trpc/server";
import { account } from "./procedures/account.ts";
import { makeCatalogue } from "./procedures/catalogue.ts";
import { secrets } from "./procedures/secrets.ts";
import { tokens } from "./procedures/tokens.ts";
import { toolProcedures } from "./procedures/tools.ts";
import { knowProcedures, router } from "./trpc.ts";

/** Every procedure of the service, by its path under /trpc. */
export const appRouter = router({
  tools: router({ ...toolProcedures, catalogue: makeCatalogue(procedures) }),
  secrets,
  account,
  tokens,
});

export type AppRouter = typeof appRouter;

/** The procedures by path, such as "tools.pdfRotate". */
export function procedures(): Record<string, AnyTRPCProcedure> {
  // tRPC types this record as unknown; nothing here is a lazy router.
  return appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>;
}

knowProcedures((path) => (path === undefined ? undefined : procedures()[path]));
