import { account } from "./procedures/account/account.ts";
import { admin } from "./procedures/admin/admin.ts";
import { catalogue } from "./procedures/tools/catalogue.ts";
import { hooks } from "./procedures/account/hooks.ts";
import { instance } from "./procedures/instance.ts";
import { requests } from "./procedures/requests/requests.ts";
import { secrets } from "./procedures/secrets/secrets.ts";
import { tokens } from "./procedures/account/tokens.ts";
import { toolProcedures } from "./procedures/tools/tools.ts";
import { router } from "./trpc.ts";

/** Every procedure of the service, by its path under /trpc. */
export const appRouter = router({
  tools: router({ ...toolProcedures, catalogue }),
  instance,
  secrets,
  requests,
  account,
  tokens,
  hooks,
  admin,
});

export type AppRouter = typeof appRouter;
