import { useSignal } from "@preact/signals";
import { pathOf } from "../../wire/pages.ts";
import { OwnHooks } from "../account/hooks.tsx";
import { type OwnAccount, LogoutButton, StillLoggedIn, useMember } from "../account/current-session.tsx";
import { LoginForm } from "../account/login-form.tsx";
import { OwnRequests } from "../account/requests.tsx";
import { OwnSecrets } from "../account/secrets.tsx";
import { Sessions } from "../account/sessions.tsx";
import { Settings } from "../account/settings.tsx";
import { OwnTokens } from "../account/tokens.tsx";
import { AfterLogin, comesFirst, type LoginResult, ChoosePassword } from "../account/ways/after-login.tsx";
import { Identities } from "../account/ways/identities.tsx";
import { hasPasskeys } from "../account/ways/passkey-button.tsx";
import { Passkeys } from "../account/ways/passkeys.tsx";
import { SecondFactor } from "../account/ways/second-factor.tsx";
import { rememberMember } from "../api/limits.ts";
import { instance } from "../app/instance.ts";
import { formatTime, formatNumber } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { isOthers, startAnew } from "../app/owner.ts";
import { hrefTo } from "../app/paths/base.ts";
import { PageHead } from "../app/shell.tsx";
import { FailureNote } from "../parts/job.tsx";
import { Note, Status } from "../parts/note.tsx";

const NO_SESSION = ["login_required", "session_required", "account_deleted"];
const WEEK_MS = 604_800_000;

/** The login form, or the member's secrets, tokens, sessions and settings. */
export function Page() {
  const t = words().account;
  const { state, reload } = useMember();
  const entered = useSignal<LoginResult | undefined>(undefined);
  const isDeleted = useSignal(false);
  const providerLogout = useSignal<string | null>(null);
  const me = state.value;
  const finish = async (next: LoginResult) => {
    if (isOthers(next.id)) return startAnew(next);
    await reload();
    entered.value = undefined;
  };
  const enter = (next: LoginResult) => {
    isDeleted.value = false;
    // Also for somebody who goes to another page at once.
    rememberMember(true, next);
    if (comesFirst(next)) entered.value = next;
    else void finish(next);
  };
  const shown = entered.value;
  if (shown) {
    return (
      <section class="page">
        <AfterLogin entered={shown} onDone={() => void finish(shown)} />
      </section>
    );
  }
  const leave: MemberProps["onLeft"] = (left) => {
    isDeleted.value = left.isDeleted;
    providerLogout.value = left.providerLogout ?? null;
    void reload();
  };
  if (me.is === "loaded" && me.value?.mustChoosePassword) {
    return (
      <section class="page">
        <ChoosePassword onChosen={() => void reload()} />
      </section>
    );
  }
  if (me.is === "loaded" && me.value)
    return (
      <Member
        key={me.value.id}
        me={me.value}
        onLeft={leave}
        onChanged={() => void reload()}
        onRecoveryCode={(id, recoveryCode) => (entered.value = { id, recoveryCode })}
      />
    );
  const isGuest = me.is === "loaded" || (me.is === "failed" && NO_SESSION.includes(me.failure.code));
  return (
    <section class="page">
      <PageHead title={words().pages.account.title} />
      <Status>{isGuest && isDeleted.value && <Note kind="good">{t.deleted}</Note>}</Status>
      {isGuest && providerLogout.value && <StillLoggedIn href={providerLogout.value} />}
      {isGuest && <LoginForm onLogin={enter} />}
      {me.is === "failed" && !isGuest && <FailureNote failure={me.failure} />}
      {me.is === "loading" && <p class="loading">{t.loading}</p>}
    </section>
  );
}

interface MemberProps {
  readonly me: OwnAccount;
  readonly onChanged: () => void;
  /** A recovery code that is shown only now, of the member with this id. */
  readonly onRecoveryCode: (id: string, code: string) => void;
  /** Called with whether the account was deleted, and the address to log out of the organization's provider too. */
  readonly onLeft: (left: { isDeleted: boolean; providerLogout?: string | null }) => void;
}

function Member({ me, onLeft, onChanged, onRecoveryCode }: MemberProps) {
  const t = words().account;
  const { oidc, login } = instance.value;
  return (
    <section class="page">
      <div class="status">
        <PageHead title={me.name}>{fill(t.since, { time: formatTime(me.created) })}</PageHead>
        <LogoutButton onLeft={(providerLogout) => onLeft({ isDeleted: false, providerLogout })} />
      </div>
      <Told me={me} />
      {me.isAdmin && (
        <p>
          <a class="button" href={hrefTo(pathOf("members"))}>
            {words().admin.link}
          </a>
        </p>
      )}
      {me.needsSecondFactor ? (
        <Note kind="warn">{me.hasTotp ? t.totp.neededCode : t.totp.needed}</Note>
      ) : (
        <>
          <OwnSecrets />
          <OwnRequests />
          <OwnTokens me={me} />
          <OwnHooks />
          {login.length > 0 && <Sessions />}
        </>
      )}
      {(me.hasPassword || me.hasTotp) && <SecondFactor me={me} onChanged={onChanged} />}
      {hasPasskeys() && <Passkeys me={me} onChanged={onChanged} />}
      {oidc && <Identities me={me} provider={oidc.name} onChanged={onChanged} />}
      <Settings
        me={me}
        onRecoveryCode={(code) => onRecoveryCode(me.id, code)}
        onDeleted={() => onLeft({ isDeleted: true })}
      />
    </section>
  );
}

/** What the owner of an account must know: its recovery, and wrong codes of somebody who knows the password. */
function Told({ me }: { me: Pick<OwnAccount, "recovered" | "enrolFrom" | "wrongCodes"> }) {
  const t = words().account.told;
  const { recovered, enrolFrom, wrongCodes } = me;
  const isRecent = recovered !== null && Date.now() - Date.parse(recovered) < WEEK_MS;
  return (
    <>
      {isRecent && <Note kind="warn">{fill(t.recovered, { time: formatTime(recovered) })}</Note>}
      {enrolFrom !== null && <Note>{fill(t.enrolFrom, { time: formatTime(enrolFrom) })}</Note>}
      {wrongCodes > 0 && <Note kind="warn">{fill(t.wrongCodes, { count: formatNumber(wrongCodes) })}</Note>}
    </>
  );
}
