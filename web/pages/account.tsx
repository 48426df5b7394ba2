import { useSignal } from "@preact/signals";
import { LoginForm } from "../account/login-form.tsx";
import { RecoveryCode } from "../account/recovery-code.tsx";
import { OwnSecrets } from "../account/secrets.tsx";
import { Sessions } from "../account/sessions.tsx";
import { Settings } from "../account/settings.tsx";
import { Tokens } from "../account/tokens.tsx";
import { useLoader } from "../api/loader.ts";
import { FailureNote } from "../parts/job.tsx";
import { formatTime } from "../app/format.ts";
import { server } from "../api/server.ts";
import { PageHead } from "../app/shell.tsx";

/** The login form, or the member's secrets, tokens, sessions and settings. */
export function Page() {
  const { state, reload } = useLoader(() => server.account.me.query({}));
  const code = useSignal<string | undefined>(undefined);
  const me = state.value;
  const enter = async (recoveryCode?: string) => {
    code.value = recoveryCode;
    await reload();
  };
  if (code.value !== undefined) {
    return (
      <section class="page">
        <RecoveryCode code={code.value} onKept={() => (code.value = undefined)} />
      </section>
    );
  }
  if (me.is === "loaded") return <Member me={me.value} onLeft={() => void reload()} />;
  const isGuest =
    me.is === "failed" && (me.failure.code === "login_required" || me.failure.code === "account_deleted");
  return (
    <section class="page">
      <PageHead title="Account">
        Nothing here needs one. With one you may store longer texts and larger files, see what became of your
        secrets, and make tokens for scripts.
      </PageHead>
      {isGuest && <LoginForm onLogin={(recoveryCode) => void enter(recoveryCode)} />}
      {me.is === "failed" && !isGuest && <FailureNote failure={me.failure} />}
      {me.is === "loading" && <p class="loading">Looking whether you are logged in…</p>}
    </section>
  );
}

interface MemberProps {
  readonly me: { readonly name: string; readonly created: string; readonly hasRecoveryCode: boolean };
  readonly onLeft: () => void;
}

function Member({ me, onLeft }: MemberProps) {
  const leave = async () => {
    await server.account.logout.mutate({});
    onLeft();
  };
  return (
    <section class="page">
      <div class="status">
        <PageHead title={me.name}>Here since {formatTime(me.created)}.</PageHead>
        <button type="button" onClick={() => void leave()}>
          Log out
        </button>
      </div>
      <OwnSecrets />
      <Tokens />
      <Sessions />
      <Settings onLeft={onLeft} />
    </section>
  );
}
