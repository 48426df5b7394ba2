import { useSignal, type Signal } from "@preact/signals";
import { useSender } from "../api/loader.ts";
import { Choices, Field, SecretField, TextField } from "../parts/field.tsx";
import { FailureNote } from "../parts/job.tsx";
import { server } from "../api/server.ts";

const MODES = { login: "Log in", register: "Make an account", recover: "Lost password" } as const;
type Mode = keyof typeof MODES;

interface LoginFormProps {
  /** Gets the recovery code, if one was created. */
  readonly onLogin: (recoveryCode?: string) => void;
}

interface LoginInput {
  readonly name: Signal<string>;
  readonly password: Signal<string>;
  readonly recoveryCode: Signal<string>;
}

/** Log in, register, or set a new password with the recovery code. */
export function LoginForm({ onLogin }: LoginFormProps) {
  const mode = useSignal<Mode>("login");
  const input = { name: useSignal(""), password: useSignal(""), recoveryCode: useSignal("") };
  const { isBusy, failure, send } = useSender();
  const enter = async (event: Event) => {
    event.preventDefault();
    await send(async () => onLogin(await SUBMITTERS[mode.value](input)));
  };
  return (
    <form class="panel" onSubmit={(event) => void enter(event)}>
      <Choices label="How to get in" isLabelUnseen value={mode} choices={MODES} />
      <NameField name={input.name} />
      {mode.value === "recover" && <TextField label="Recovery code" value={input.recoveryCode} isCode />}
      <SecretField
        label={mode.value === "recover" ? "New password" : "Password"}
        value={input.password}
        autocomplete={mode.value === "login" ? "current-password" : "new-password"}
        hint={mode.value === "login" ? undefined : "10 characters or more."}
      />
      {failure.value && <FailureNote failure={failure.value} />}
      <div class="actions">
        <button class="primary" disabled={isBusy.value}>
          {isBusy.value ? "One moment…" : SUBMIT[mode.value]}
        </button>
      </div>
    </form>
  );
}

const SUBMIT = { login: "Log in", register: "Make the account", recover: "Set the password" } as const;

const SUBMITTERS: Readonly<Record<Mode, (input: LoginInput) => Promise<string | undefined>>> = {
  login: async ({ name, password }) => {
    await server.account.login.mutate({ name: name.value, password: password.value });
    return undefined;
  },
  register: async ({ name, password }) =>
    (await server.account.register.mutate({ name: name.value, password: password.value })).recoveryCode,
  recover: async ({ name, password, recoveryCode }) => {
    const code = recoveryCode.value.trim();
    const input = { name: name.value, password: password.value, recoveryCode: code };
    return (await server.account.recover.mutate(input)).recoveryCode;
  },
};

function NameField({ name }: { name: Signal<string> }) {
  return (
    <Field label="Name">
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
