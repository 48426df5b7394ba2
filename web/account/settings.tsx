import { useSignal } from "@preact/signals";
import { useSender } from "../api/loader.ts";
import { Check, Choices, SecretField } from "../parts/field.tsx";
import { MemberFailure } from "./member-failure.tsx";
import { Note } from "../parts/note.tsx";
import { Status } from "../parts/status.tsx";
import { instance } from "../app/instance.ts";
import { fill, words } from "../app/language/words.ts";
import { hrefTo } from "../app/paths/base.ts";
import { server } from "../api/server.ts";

/** What the page knows of the member who is logged in. */
export interface OwnAccount {
  readonly name: string;
  readonly created: string;
  readonly hasRecoveryCode: boolean;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  /** Whether this instance wants a second factor before anything else. */
  readonly needsSecondFactor: boolean;
  /** Whether the organisation's login leads to it. */
  readonly hasIdentity: boolean;
  /** Whether it administers this instance. */
  readonly isAdmin: boolean;
}

/** Changing the password, and deleting the account. */
export function Settings({ me, onDeleted }: { me: OwnAccount; onDeleted: () => void }) {
  const t = words().account.settings;
  const { login, oidc } = instance.value;
  return (
    <section class="panel" aria-labelledby="settings">
      <h2 id="settings">{t.title}</h2>
      {oidc && !me.hasIdentity && (
        <p>
          <a class="button" href={hrefTo("/api/account/oidc?tie&next=/account")}>
            {fill(words().account.organisation.tie, { name: oidc.name })}
          </a>
        </p>
      )}
      {login.includes("password") && (
        <details>
          <summary>{me.hasPassword ? t.change : words().account.organisation.setPassword}</summary>
          <PasswordForm hasPassword={me.hasPassword} />
        </details>
      )}
      <details>
        <summary>{t.delete}</summary>
        <DeleteForm hasPassword={me.hasPassword} onDeleted={onDeleted} />
      </details>
    </section>
  );
}

function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const t = words().account.settings;
  const password = useSignal("");
  const newPassword = useSignal("");
  const revokeTokens = useSignal(false);
  const isChanged = useSignal(false);
  const { isBusy, failure, send } = useSender();
  const change = async (event: Event) => {
    event.preventDefault();
    const input = {
      ...(hasPassword && { password: password.value }),
      newPassword: newPassword.value,
      revokeTokens: revokeTokens.value,
    };
    isChanged.value = await send(() => server.account.changePassword.mutate(input));
    if (isChanged.value) password.value = newPassword.value = "";
  };
  return (
    <form class="stack" onSubmit={(event) => void change(event)}>
      {hasPassword && <SecretField label={t.current} value={password} autocomplete="current-password" />}
      <SecretField
        label={words().account.newPassword}
        value={newPassword}
        autocomplete="new-password"
        hint={t.changeHint}
      />
      <Check label={words().account.revokeTokens} value={revokeTokens} />
      {failure.value && (
        <MemberFailure failure={failure.value} rules={{ newPassword: words().account.passwordHint }} />
      )}
      <Status>{isChanged.value && <Note kind="good">{t.changed}</Note>}</Status>
      <div class="actions">
        <button aria-busy={isBusy.value}>{t.changeSubmit}</button>
      </div>
    </form>
  );
}

function DeleteForm({ hasPassword, onDeleted }: { hasPassword: boolean; onDeleted: () => void }) {
  const t = words().account.settings;
  const password = useSignal("");
  const secrets = useSignal<"keep" | "revoke">("keep");
  const { isBusy, failure, send } = useSender();
  const remove = async (event: Event) => {
    event.preventDefault();
    const input = { ...(hasPassword && { password: password.value }), secrets: secrets.value };
    if (await send(() => server.account.delete.mutate(input))) onDeleted();
  };
  return (
    <form class="stack" onSubmit={(event) => void remove(event)}>
      <Choices label={t.secrets} value={secrets} choices={t.secretChoices} />
      {hasPassword && <SecretField label={t.yourPassword} value={password} autocomplete="current-password" />}
      {failure.value && <MemberFailure failure={failure.value} />}
      <div class="actions">
        <button class="danger" aria-busy={isBusy.value}>
          {t.deleteSubmit}
        </button>
      </div>
    </form>
  );
}
