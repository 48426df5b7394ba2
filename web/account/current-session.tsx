import { useEffect } from "preact/hooks";
import { mayBeMember, rememberMember } from "../api/limits.ts";
import { useLoader, useSender } from "../api/loader.ts";
import { server } from "../api/server.ts";
import { isOthers, isOwnerUnknown, startAnew } from "../app/owner.ts";
import { instance } from "../app/instance.ts";
import { fill, words } from "../app/language/words.ts";
import { confirmLeave, hasUnsaved } from "../app/unsaved.tsx";
import { Note } from "../parts/note.tsx";
import { MemberFailure } from "./member-failure.tsx";

/** What the page knows about the logged-in member. */
export type OwnAccount = Awaited<ReturnType<typeof server.account.me.query>>;

/**
 * Loads the logged-in member, or undefined. Asking without a session would be a 401, so the public catalogue is asked
 * first who the caller is. Where it is another member than before, the page starts anew.
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

/**
 * Loads the member for a page; again where the login ends in another tab, so that nothing of theirs stays in sight, and
 * where it begins in one.
 */
export function useMember() {
  const { state, reload } = useLoader(loadMember);
  const isShown = state.value.is === "loaded" && state.value.value !== undefined;
  // What only this page has, such as a new token, is kept until it was copied.
  const hasEnded = isShown && !mayBeMember() && !hasUnsaved.value;
  useEffect(() => {
    if (hasEnded) void reload();
  }, [hasEnded]);
  const isGuest = state.value.is === "loaded" && !isShown;
  useEffect(() => {
    if (!isGuest) return undefined;
    // Somebody has logged in in another tab meanwhile; what is typed here stays where that cannot be asked.
    const look = () =>
      void (
        mayBeMember() &&
        loadMember().then(
          (me) => me && reload(),
          () => undefined,
        )
      );
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [isGuest]);
  return { state, reload };
}

/** Ends the session, where there is something to log out of: an embedding program has its own logins. */
export function LogoutButton({
  onLeft,
}: {
  /** Called with the address to log out of the organization's provider too. */
  readonly onLeft: (providerLogout: string | null) => void;
}) {
  const { isBusy, failure, send } = useSender();
  if (instance.value.login.length === 0) return null;
  const leave = async () => {
    // A new token, or a key, is nowhere else.
    if (!(await confirmLeave())) return;
    await send(async () => {
      const { providerLogout } = await server.account.logout.mutate({});
      onLeft(providerLogout);
    });
  };
  return (
    <>
      <button type="button" aria-busy={isBusy.value} onClick={() => void leave()}>
        {words().account.logout}
      </button>
      {failure.value && <MemberFailure failure={failure.value} />}
    </>
  );
}

/** Tells somebody at a shared computer that the organization's provider still has a session. */
export function StillLoggedIn({ href }: { href: string }) {
  const name = instance.value.oidc?.name ?? "";
  return (
    <Note>
      <a href={href}>{fill(words().account.organisation.logout, { name })}</a>
    </Note>
  );
}
