import { useSignal } from "@preact/signals";
import { ChoosePassword } from "../account/ways/after-login.tsx";
import { LogoutButton, StillLoggedIn, useMember } from "../account/current-session.tsx";
import { Counters } from "../admin/counters.tsx";
import { MemberList } from "../admin/member-list.tsx";
import { words } from "../app/language/words.ts";
import { hrefTo } from "../app/paths/base.ts";
import { PageHead } from "../app/shell.tsx";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { pathOf } from "../../wire/pages.ts";

/** The instance's members and counters, for its administrators. */
export function Page() {
  const t = words().admin;
  const { state, reload } = useMember();
  const providerLogout = useSignal<string | null>(null);
  const me = state.value;
  const leave = (next: string | null) => {
    providerLogout.value = next;
    void reload();
  };
  if (me.is === "loaded" && me.value?.mustChoosePassword) {
    return (
      <section class="page">
        <ChoosePassword onChosen={() => void reload()} />
      </section>
    );
  }
  return (
    <section class="page">
      <div class="status">
        <PageHead title={words().pages.members.title}>{t.lead}</PageHead>
        {me.is === "loaded" && me.value && <LogoutButton onLeft={leave} />}
      </div>
      {me.is === "loaded" && !me.value && providerLogout.value && (
        <StillLoggedIn href={providerLogout.value} />
      )}
      {me.is === "loading" && <p class="loading">{words().account.loading}</p>}
      {me.is === "failed" && <FailureNote failure={me.failure} />}
      {me.is === "loaded" && !me.value?.isAdmin && <OnlyAdmins />}
      {me.is === "loaded" && me.value?.isAdmin && (
        <>
          <Counters />
          <MemberList me={me.value} />
        </>
      )}
    </section>
  );
}

function OnlyAdmins() {
  return (
    <Note title={words().admin.onlyAdmins}>
      <p>
        <a class="button" href={hrefTo(pathOf("account"))}>
          {words().pages.account.label}
        </a>
      </p>
    </Note>
  );
}
