import { useSignal } from "@preact/signals";
import { useSender } from "../api/loader.ts";
import { Check, Choices, SecretField } from "../parts/field.tsx";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { words } from "../app/language/words.ts";
import { server } from "../api/server.ts";

/** Changing the password, and deleting the account. */
export function Settings({ onDeleted }: { onDeleted: () => void }) {
  const t = words().account.settings;
  return (
    <section class="panel" aria-labelledby="settings">
      <h2 id="settings">{t.title}</h2>
      <details>
        <summary>{t.change}</summary>
        <PasswordForm />
      </details>
      <details>
        <summary>{t.delete}</summary>
        <DeleteForm onDeleted={onDeleted} />
      </details>
    </section>
  );
}

function PasswordForm() {
  const t = words().account.settings;
  const password = useSignal("");
  const newPassword = useSignal("");
  const revokeTokens = useSignal(false);
  const isChanged = useSignal(false);
  const { isBusy, failure, send } = useSender();
  const change = async (event: Event) => {
    event.preventDefault();
    const input = {
      password: password.value,
      newPassword: newPassword.value,
      revokeTokens: revokeTokens.value,
    };
    isChanged.value = await send(() => server.account.changePassword.mutate(input));
    if (isChanged.value) password.value = newPassword.value = "";
  };
  return (
    <form class="stack" onSubmit={(event) => void change(event)}>
      <SecretField label={t.current} value={password} autocomplete="current-password" />
      <SecretField
        label={words().account.newPassword}
        value={newPassword}
        autocomplete="new-password"
        hint={t.changeHint}
      />
      <Check label={words().account.revokeTokens} value={revokeTokens} />
      {failure.value && <FailureNote failure={failure.value} />}
      {isChanged.value && <Note kind="good">{t.changed}</Note>}
      <div class="actions">
        <button disabled={isBusy.value}>{t.changeSubmit}</button>
      </div>
    </form>
  );
}

function DeleteForm({ onDeleted }: { onDeleted: () => void }) {
  const t = words().account.settings;
  const password = useSignal("");
  const secrets = useSignal<"keep" | "revoke">("keep");
  const { isBusy, failure, send } = useSender();
  const remove = async (event: Event) => {
    event.preventDefault();
    const input = { password: password.value, secrets: secrets.value };
    if (await send(() => server.account.delete.mutate(input))) onDeleted();
  };
  return (
    <form class="stack" onSubmit={(event) => void remove(event)}>
      <Choices label={t.secrets} value={secrets} choices={t.secretChoices} />
      <SecretField label={t.yourPassword} value={password} autocomplete="current-password" />
      {failure.value && <FailureNote failure={failure.value} />}
      <div class="actions">
        <button class="danger" disabled={isBusy.value}>
          {t.deleteSubmit}
        </button>
      </div>
    </form>
  );
}
