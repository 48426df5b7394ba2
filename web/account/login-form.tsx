import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { useSender } from "../api/loader.ts";
import type { LoginResult } from "./ways/after-login.tsx";
import { MemberFailure, Rule, wrongField } from "./member-failure.tsx";
import { hasPasskeys, PasskeyButton } from "./ways/passkey-button.tsx";
import { CodeField } from "./ways/confirmation.tsx";
import { KeepWays } from "./ways/ways-in.tsx";
import { CancelButton } from "../parts/buttons.tsx";
import { Choices, SecretField, TrimmedField } from "../parts/field.tsx";
import { Note } from "../parts/note.tsx";
import { instance } from "../app/instance.ts";
import { fill, words } from "../app/language/words.ts";
import { memberName } from "../app/owner.ts";
import { hrefTo } from "../app/paths/base.ts";
import type { Failure } from "../api/failure.ts";
import { server } from "../api/server.ts";

type Mode = "login" | "register" | "recover";

type LoginInput = ReturnType<typeof useLoginInput>;

function useLoginInput(known: string) {
  return {
    name: useSignal(known),
    password: useSignal(""),
    recoveryCode: useSignal(""),
    /** What a recovery keeps. */
    keep: useSignal<readonly RecoveryWay[]>([]),
    /** The code of an authenticator app; empty until the server has asked for it. */
    code: useSignal(""),
  };
}

/** What a recovery ends, in addition to replacing the password. */
const RECOVERY_WAYS = ["sessions", "tokens", "passkeys", "identities"] as const;
type RecoveryWay = (typeof RECOVERY_WAYS)[number];

/** The form to log in, register, or set a new password with the recovery code. */
export function LoginForm({
  onLogin,
  isBeside = false,
}: {
  onLogin: (entered: LoginResult) => void;
  /** Whether the page below must stay: then the organization's provider opens in a new tab. */
  isBeside?: boolean;
}) {
  const t = words().account;
  const { registration, login, oidc } = instance.value;
  const mode = useSignal<Mode>("login");
  const { register: _, ...closed } = t.modes;
  // The member of the page below is still known here.
  const input = useLoginInput(isBeside ? memberName.peek() : "");
  const asksForCode = useSignal<Mode | undefined>(undefined);
  const { isBusy, failure, send } = useSender();
  const enter = async () => {
    // A code typed for another way in is no longer visible.
    if (asksForCode.value !== mode.value) input.code.value = "";
    await send(async () => onLogin(await SUBMITTERS[mode.value](input)));
    if (failure.value?.code === "second_factor_required") asksForCode.value = mode.value;
  };
  const wrong = wrongField(failure.value, RULED[mode.value]);
  const isWeak = wrong !== undefined && wrong !== "name";
  const isAsked = asksForCode.value === mode.value;
  // It was of another form, or of a code.
  useLayoutEffect(() => void (failure.value = undefined), [mode.value, isAsked]);
  const button = (
    <div class="actions">
      {oidc && (
        <OrganizationButton name={oidc.name} isOnly={!login.includes("password")} isBeside={isBeside} />
      )}
      {hasPasskeys() && <PasskeyButton onLogin={onLogin} />}
    </div>
  );
  if (login.length === 0) return null;
  if (!login.includes("password")) return <div class="panel">{button}</div>;
  return (
    <form class="panel" onSubmit={() => void enter()}>
      {isAsked ? (
        // A step of its own: the fields before stay filled, and are sent again with the code.
        <CodeField
          label={t.totp.loginCode}
          hint={mode.value === "recover" ? t.totp.recoverCodeHint : t.totp.loginCodeHint}
          value={input.code}
          failure={failure.value}
          mayRecover={mode.value === "login"}
        />
      ) : (
        <>
          <Choices<Mode>
            label={t.mode}
            isLabelUnseen
            value={mode}
            choices={registration === "open" ? t.modes : closed}
          />
          {mode.value === "register" && <p>{t.lead}</p>}
          <TrimmedField
            label={t.name}
            value={input.name}
            hint={
              mode.value === "register" && (
                <Rule broken={wrong === "name" ? failure.value : undefined}>{t.nameRule}</Rule>
              )
            }
            isInvalid={wrong === "name"}
            autocomplete="username"
          />
          {mode.value === "recover" && (
            <TrimmedField label={t.recoveryCode} value={input.recoveryCode} isCode />
          )}
          <SecretField
            label={mode.value === "recover" ? t.newPassword : t.password}
            value={input.password}
            autocomplete={mode.value === "login" ? "current-password" : "new-password"}
            isInvalid={isWeak}
            hint={
              mode.value === "login" ? undefined : (
                <Rule broken={isWeak ? failure.value : undefined} length={[...input.password.value].length}>
                  {t.passwordHint}
                </Rule>
              )
            }
          />
          {mode.value === "recover" && <KeepWays ways={RECOVERY_WAYS} kept={input.keep} />}
        </>
      )}
      {failure.value && failure.value.code !== "second_factor_required" && (
        <LoginFailure mode={mode.value} failure={failure.value} />
      )}
      <div class="actions">
        <button class="primary" aria-busy={isBusy.value}>
          {isBusy.value ? t.busy : t.submits[mode.value]}
        </button>
        {isAsked && <CancelButton onClick={() => (asksForCode.value = undefined)} />}
      </div>
      {/* Behind the form, whose own button is in sight on the smallest phones too. */}
      {!isAsked && (oidc || hasPasskeys()) && button}
    </form>
  );
}

/** Leads to the organization's provider, and back to the account page. */
function OrganizationButton({
  name,
  isOnly,
  isBeside,
}: {
  name: string;
  isOnly: boolean;
  isBeside: boolean;
}) {
  const elsewhere = isBeside ? { target: "_blank", rel: "noopener" } : {};
  return (
    <a
      class={isOnly ? "button primary" : "button"}
      href={hrefTo("/api/account/oidc?next=/account")}
      {...elsewhere}
    >
      {fill(words().account.organisation.login, { name })}
    </a>
  );
}

/** The fields with their rule below them. */
const RULED: Readonly<Record<Mode, readonly string[]>> = {
  login: [],
  register: ["name", "password"],
  recover: ["password", "newPassword"],
};

const SUBMITTERS: Readonly<Record<Mode, (input: LoginInput) => Promise<LoginResult>>> = {
  login: async ({ name, password, code }) => {
    const who = { name: name.value, password: password.value };
    const { id, recoveryCode, mustChoosePassword } = await server.account.login.mutate({
      ...who,
      code: code.value || undefined,
    });
    return { id, name: who.name, recoveryCode, given: mustChoosePassword && who.password };
  },
  register: async ({ name, password }) =>
    server.account.register.mutate({ name: name.value, password: password.value }),
  recover: async ({ name, password, recoveryCode, keep, code }) => {
    const who = { name: name.value, password: password.value, recoveryCode: recoveryCode.value };
    const answer = await server.account.recover.mutate({
      ...who,
      keep: [...keep.value],
      code: code.value || undefined,
    });
    const { id, recoveryCode: next, ended } = answer;
    return { id, name: who.name, recoveryCode: next, ended: { ended, kept: keep.value } };
  },
};

function LoginFailure({ mode, failure }: { mode: Mode; failure: Failure }) {
  const t = words().account;
  if (mode === "register" || !["login_required", "invalid_credentials"].includes(failure.code))
    return <MemberFailure failure={failure} atFields={RULED[mode]} />;
  return <Note kind="bad">{mode === "login" ? t.wrongLogin : t.wrongRecovery}</Note>;
}
