import { useSignal } from "@preact/signals";
import { useSender } from "../api/loader.ts";
import { Choices, SecretField } from "../parts/field.tsx";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { server } from "../api/server.ts";

/** Changing the password, and deleting the account. */
export function Settings({ onDeleted }: { onDeleted: () => void }) {
  return (
    <section class="panel" aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <details>
        <summary>Change the password</summary>
        <PasswordForm />
      </details>
      <details>
        <summary>Delete the account</summary>
        <DeleteForm onDeleted={onDeleted} />
      </details>
    </section>
  );
}

function PasswordForm() {
  const password = useSignal("");
  const newPassword = useSignal("");
  const isChanged = useSignal(false);
  const { isBusy, failure, send } = useSender();
  const change = async (event: Event) => {
    event.preventDefault();
    const input = { password: password.value, newPassword: newPassword.value };
    isChanged.value = await send(() => server.account.changePassword.mutate(input));
    if (isChanged.value) password.value = newPassword.value = "";
  };
  return (
    <form class="stack" onSubmit={(event) => void change(event)}>
      <SecretField label="Password now" value={password} autocomplete="current-password" />
      <SecretField
        label="New password"
        value={newPassword}
        autocomplete="new-password"
        hint="10 characters or more. It ends all your other logins."
      />
      {failure.value && <FailureNote failure={failure.value} />}
      {isChanged.value && <Note kind="good">The password is changed.</Note>}
      <div class="actions">
        <button disabled={isBusy.value}>Change it</button>
      </div>
    </form>
  );
}

function DeleteForm({ onDeleted }: { onDeleted: () => void }) {
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
      <Choices
        label="Secrets that nobody has opened yet"
        value={secrets}
        choices={{ keep: "Their links stay good", revoke: "Delete them too" }}
      />
      <SecretField label="Your password" value={password} autocomplete="current-password" />
      {failure.value && <FailureNote failure={failure.value} />}
      <div class="actions">
        <button class="danger" disabled={isBusy.value}>
          Delete the account for good
        </button>
      </div>
    </form>
  );
}
