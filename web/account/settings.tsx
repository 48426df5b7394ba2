import { useSignal } from "@preact/signals";
import { useSender } from "../api/loader.ts";
import { Check, Choices } from "../parts/field.tsx";
import { ConfirmationFields, useConfirmation } from "./ways/confirmation.tsx";
import { NewPasswordField, RULED } from "./ways/after-login.tsx";
import type { OwnAccount } from "./current-session.tsx";
import { Note, Status } from "../parts/note.tsx";
import { instance } from "../app/instance.ts";
import { words } from "../app/language/words.ts";
import { server } from "../api/server.ts";

interface SettingsProps {
  readonly me: OwnAccount;
  /** A first password comes with a recovery code, which is shown only now. */
  readonly onRecoveryCode: (code: string) => void;
  readonly onDeleted: () => void;
}

/** Changing the password, and deleting the account. */
export function Settings({ me, onRecoveryCode, onDeleted }: SettingsProps) {
  const t = words().account.settings;
  const { login } = instance.value;
  return (
    <section class="panel" aria-labelledby="settings">
      <h2 id="settings">{t.title}</h2>
      {login.includes("password") && (
        <details>
          <summary>{me.hasPassword ? t.change : words().account.organisation.setPassword}</summary>
          <PasswordForm me={me} onRecoveryCode={onRecoveryCode} />
        </details>
      )}
      <details>
        <summary>{t.delete}</summary>
        <DeleteForm me={me} onDeleted={onDeleted} />
      </details>
    </section>
  );
}

function PasswordForm({ me, onRecoveryCode }: Omit<SettingsProps, "onDeleted">) {
  const t = words().account.settings;
  const newPassword = useSignal("");
  const revokeTokens = useSignal(false);
  const isChanged = useSignal(false);
  const confirmation = useConfirmation(me, { isAlways: true });
  const { isBusy, failure, send } = useSender();
  const change = async () => {
    const input = { newPassword: newPassword.value, revokeTokens: revokeTokens.value };
    isChanged.value = await send(async () => {
      const { recoveryCode } = await confirmation.run((given) =>
        server.account.changePassword.mutate({ ...given, ...input }),
      );
      if (recoveryCode !== undefined) onRecoveryCode(recoveryCode);
    });
    if (isChanged.value) newPassword.value = "";
  };
  return (
    <form class="stack" onSubmit={() => void change()}>
      <NewPasswordField value={newPassword} failure={failure.value} rule={t.changeHint} />
      <Check label={words().account.revokeTokens} value={revokeTokens} />
      <ConfirmationFields
        confirmation={confirmation}
        failure={failure.value}
        label={t.current}
        atFields={RULED}
      />
      <Status>{isChanged.value && <Note kind="good">{t.changed}</Note>}</Status>
      <div class="actions">
        <button aria-busy={isBusy.value}>{t.changeSubmit}</button>
      </div>
    </form>
  );
}

function DeleteForm({ me, onDeleted }: { me: OwnAccount; onDeleted: () => void }) {
  const t = words().account.settings;
  const confirmation = useConfirmation(me, { isAlways: true });
  const secrets = useSignal<"keep" | "revoke">("keep");
  const { isBusy, failure, send } = useSender();
  const remove = async () => {
    const isDeleted = await send(() =>
      confirmation.run((given) => server.account.delete.mutate({ ...given, secrets: secrets.value })),
    );
    if (isDeleted) onDeleted();
  };
  return (
    <form class="stack" onSubmit={() => void remove()}>
      <Choices label={t.secrets} value={secrets} choices={t.secretChoices} />
      <ConfirmationFields confirmation={confirmation} failure={failure.value} label={t.yourPassword} />
      <div class="actions">
        <button class="danger" aria-busy={isBusy.value}>
          {t.deleteSubmit}
        </button>
      </div>
    </form>
  );
}
