import { rememberMember } from "../api/limits.ts";
import { server } from "../api/server.ts";
import { isOthers, isOwnerUnknown, startAnew } from "../app/owner.ts";

/** What the page knows of the member who is logged in. */
export type OwnAccount = Awaited<ReturnType<typeof server.account.me.query>>;

/**
 * Who is logged in here, or undefined. Asking for the member without a session would be answered with 401; the catalogue
 * tells everybody who they are. Where it is somebody else than before, the page begins anew.
 */
export async function loadMember(): Promise<OwnAccount | undefined> {
  const { caller } = await server.tools.catalogue.query({});
  if (caller.tier !== "member") {
    rememberMember(false);
    return undefined;
  }
  const me = await server.account.me.query({});
  if (isOthers(me.id) && !isOwnerUnknown()) startAnew(me);
  else rememberMember(true, me);
  return me;
}
