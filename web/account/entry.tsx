import { useSignal, type Signal } from "@preact/signals";
import { useSending } from "../api/load.ts";
import { Choices, Field, SecretField, TextField } from "../parts/field.tsx";
import { Failure } from "../parts/job.tsx";
import { server } from "../api/server.ts";

const WAYS = { login: "Log in", register: "Make an account", recover: "Lost password" } as const;
type Way = keyof typeof WAYS;

interface EntryProps {
  /** Told the recovery code where one was made. */
  readonly onEntered: (recoveryCode?: string) => void;
}

interface Given {
  readonly name: Signal<string>;
  readonly password: Signal<string>;
  readonly recoveryCode: Signal<string>;
}

/** The three ways in. */
export function Entry({ onEntered }: EntryProps) {
  const way = useSignal<Way>("login");
  const given = { name: useSignal(""), password: useSignal(""), recoveryCode: useSignal("") };
  const { isBusy, told, send } = useSending();
  const enter = async (event: Event) => {
    event.preventDefault();
    await send(async () => onEntered(await ENTER[way.value](given)));
  };
  return (
    <form class="panel" onSubmit={(event) => void enter(event)}>
      <Choices label="How to get in" isLabelUnseen value={way} choices={WAYS} />
      <NameField name={given.name} />
      {way.value === "recover" && <TextField label="Recovery code" value={given.recoveryCode} isCode />}
      <SecretField
        label={way.value === "recover" ? "New password" : "Password"}
        value={given.password}
        autocomplete={way.value === "login" ? "current-password" : "new-password"}
        hint={way.value === "login" ? undefined : "10 characters or more."}
      />
      {told.value && <Failure told={told.value} />}
      <div class="actions">
        <button class="primary" disabled={isBusy.value}>
          {isBusy.value ? "One moment…" : SUBMIT[way.value]}
        </button>
      </div>
    </form>
  );
}

const SUBMIT = { login: "Log in", register: "Make the account", recover: "Set the password" } as const;

const ENTER: Readonly<Record<Way, (given: Given) => Promise<string | undefined>>> = {
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
