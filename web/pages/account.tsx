import { useSignal } from "@preact/signals";
import { LoginForm } from "../account/login-form.tsx";
import { RecoveryCode } from "../account/recovery-code.tsx";
import { OwnRequests } from "../account/requests.tsx";
import { OwnSecrets } from "../account/secrets.tsx";
import { Sessions } from "../account/sessions.tsx";
import { Settings } from "../account/settings.tsx";
import { OwnTokens } from "../account/tokens.tsx";
import { useLoader } from "../api/loader.ts";
import { FailureNote } from "../parts/job.tsx";
import { formatTime } from "../app/language/format.ts";
import { rememberMember } from "../api/limits.ts";
import { Note } from "../parts/note.tsx";
import { server } from "../api/server.ts";
import { fill, words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";

const NO_SESSION = ["login_required", "account_deleted"];

/** The login form, or the member's secrets, tokens, sessions and settings. */
export function Page() {
  const t = words().account;
  const { state, reload } = useLoader(loadMember);
  const code = useSignal<string | undefined>(undefined);
  const isDeleted = useSignal(false);
  const me = state.value;
  const enter = async (recoveryCode?: string) => {
    code.value = recoveryCode;
    isDeleted.value = false;
    await reload();
  };
  if (code.value !== undefined) {
    return (
      <section class="page">
        <RecoveryCode code={code.value} onKept={() => (code.value = undefined)} />
      </section>
    );
  }
  const leave = async (hasDeleted: boolean) => {
    isDeleted.value = hasDeleted;
    await reload();
  };
  if (me.is === "loaded" && me.value)
    return <Member me={me.value} onLeft={(deleted) => void leave(deleted)} />;
  const isGuest = me.is === "loaded" || (me.is === "failed" && NO_SESSION.includes(me.failure.code));
  return (
    <section class="page">
      <PageHead title={words().pages.account.title}>{t.lead}</PageHead>
      {isGuest && isDeleted.value && <Note kind="good">{t.deleted}</Note>}
      {isGuest && <LoginForm onLogin={(recoveryCode) => void enter(recoveryCode)} />}
      {me.is === "failed" && !isGuest && <FailureNote failure={me.failure} />}
      {me.is === "loading" && <p class="loading">{t.loading}</p>}
    </section>
  );
}

// Asking for the member without a session would be answered with 401; the catalogue tells everybody who they are.
async function loadMember(): Promise<MemberProps["me"] | undefined> {
  const { caller } = await server.tools.catalogue.query({});
  rememberMember(caller.tier === "member");
  return caller.tier === "member" ? server.account.me.query({}) : undefined;
}

interface MemberProps {
  readonly me: { readonly name: string; readonly created: string; readonly hasRecoveryCode: boolean };
  /** Gets whether the account was deleted, or only logged out of. */
  readonly onLeft: (isDeleted: boolean) => void;
}

function Member({ me, onLeft }: MemberProps) {
  const t = words().account;
  const leave = async () => {
    await server.account.logout.mutate({});
    onLeft(false);
  };
  return (
    <section class="page">
      <div class="status">
        <PageHead title={me.name}>{fill(t.since, { time: formatTime(me.created) })}</PageHead>
        <button type="button" onClick={() => void leave()}>
          {t.logout}
        </button>
      </div>
      <OwnSecrets />
      <OwnRequests />
      <OwnTokens />
      <Sessions />
      <Settings onDeleted={() => onLeft(true)} />
    </section>
  );
}
