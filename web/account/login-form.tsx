import { useSignal, type Signal } from "@preact/signals";
import { useSender } from "../api/loader.ts";
import { Check, Choices, Field, SecretField, TextField } from "../parts/field.tsx";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { words } from "../app/language/words.ts";
import type { Failure } from "../api/failure.ts";
import { server } from "../api/server.ts";

type Mode = "login" | "register" | "recover";

interface LoginInput {
  readonly name: Signal<string>;
  readonly password: Signal<string>;
  readonly recoveryCode: Signal<string>;
  readonly revokeTokens: Signal<boolean>;
}

/** Log in, register, or set a new password with the recovery code. */
export function LoginForm({
  onLogin,
}: {
  /** Gets the recovery code, if one was created. */
  onLogin: (recoveryCode?: string) => void;
}) {
  const t = words().account;
  const mode = useSignal<Mode>("login");
  const input: LoginInput = {
    ...{ name: useSignal(""), password: useSignal(""), recoveryCode: useSignal("") },
    revokeTokens: useSignal(false),
  };
  const { isBusy, failure, send } = useSender();
  const enter = async (event: Event) => {
    event.preventDefault();
    await send(async () => onLogin(await SUBMITTERS[mode.value](input)));
  };
  return (
    <form class="panel" onSubmit={(event) => void enter(event)}>
      <Choices label={t.mode} isLabelUnseen value={mode} choices={t.modes} />
      <NameField name={input.name} hint={mode.value === "register" ? t.nameRule : undefined} />
      {mode.value === "recover" && <TextField label={t.recoveryCode} value={input.recoveryCode} isCode />}
      <SecretField
        label={mode.value === "recover" ? t.newPassword : t.password}
        value={input.password}
        autocomplete={mode.value === "login" ? "current-password" : "new-password"}
        hint={mode.value === "login" ? undefined : t.passwordHint}
      />
      {mode.value === "recover" && <Check label={t.revokeTokens} value={input.revokeTokens} />}
      {failure.value && <LoginFailure mode={mode.value} failure={failure.value} />}
      <div class="actions">
        <button class="primary" disabled={isBusy.value}>
          {isBusy.value ? t.busy : t.submits[mode.value]}
        </button>
      </div>
    </form>
  );
}

const SUBMITTERS: Readonly<Record<Mode, (input: LoginInput) => Promise<string | undefined>>> = {
  login: async ({ name, password }) => {
    await server.account.login.mutate({ name: name.value, password: password.value });
    return undefined;
  },
  register: async ({ name, password }) =>
    (await server.account.register.mutate({ name: name.value, password: password.value })).recoveryCode,
  recover: async ({ name, password, recoveryCode, revokeTokens }) => {
    const code = recoveryCode.value.trim();
    const who = { name: name.value, password: password.value, recoveryCode: code };
    const input = { ...who, revokeTokens: revokeTokens.value };
    return (await server.account.recover.mutate(input)).recoveryCode;
  },
};

function LoginFailure({ mode, failure }: { mode: Mode; failure: Failure }) {
  const t = words().account;
  if (mode === "register" || !["login_required", "invalid_credentials"].includes(failure.code))
    return <FailureNote failure={failure} />;
  return <Note kind="bad">{mode === "login" ? t.wrongLogin : t.wrongRecovery}</Note>;
}

function NameField({ name, hint }: { name: Signal<string>; hint: string | undefined }) {
  return (
    <Field label={words().account.name} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          value={name.value}
          autocomplete="username"
          autocapitalize="off"
          spellcheck={false}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
