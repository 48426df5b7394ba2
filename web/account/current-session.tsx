import { rememberMember } from "../api/limits.ts";
import { server } from "../api/server.ts";
import { isOthers, isOwnerUnknown, startAnew } from "../app/owner.ts";
import { instance } from "../app/instance.ts";
import { fill, words } from "../app/language/words.ts";
import { Note } from "../parts/note.tsx";

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

/** Whether there is something to log out of: a program around has logins of its own. */
export function hasLogins(): boolean {
  return instance.value.login.length > 0;
}

/** Ends the session. */
export function LogoutButton({
  onLeft,
}: {
  /** Gets where to log out of the organisation's provider too. */
  readonly onLeft: (providerLogout: string | null) => void;
}) {
  if (!hasLogins()) return null;
  const leave = async () => {
    const { providerLogout } = await server.account.logout.mutate({});
    onLeft(providerLogout);
  };
  return (
    <button type="button" onClick={() => void leave()}>
      {words().account.logout}
    </button>
  );
}

/** Who logs out of a shared computer wants to be told. */
export function StillLoggedIn({ href }: { href: string }) {
  const name = instance.value.oidc?.name ?? "";
  return (
    <Note>
      <a href={href}>{fill(words().account.organisation.logout, { name })}</a>
    </Note>
  );
}
