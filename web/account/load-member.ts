import { rememberMember } from "../api/limits.ts";
import { server } from "../api/server.ts";
import type { OwnAccount } from "./settings.tsx";

/**
 * Who is logged in here, or undefined. Asking for the member without a session would be answered with 401; the catalogue
 * tells everybody who they are.
 */
export async function loadMember(): Promise<OwnAccount | undefined> {
  const { caller } = await server.tools.catalogue.query({});
  rememberMember(caller.tier === "member");
  return caller.tier === "member" ? server.account.me.query({}) : undefined;
}
