import { useSignal } from "@preact/signals";
import { startRegistration } from "@simplewebauthn/browser";
import { ConfirmationFields, useConfirmation } from "./confirmation.tsx";
import { useLoader, useSender } from "../../api/loader.ts";
import { server } from "../../api/server.ts";
import { formatRelativeTime } from "../../app/language/format.ts";
import { fill, words } from "../../app/language/words.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { TrimmedField } from "../../parts/field.tsx";
import type { OwnAccount } from "../current-session.tsx";
import { MemberFailure } from "../member-failure.tsx";
import { Status, Note } from "../../parts/note.tsx";

type Passkey = Awaited<ReturnType<typeof server.account.passkeys.query>>["passkeys"][number];

/** The member's passkeys, and adding one. */
export function Passkeys({ me, onChanged }: { me: OwnAccount; onChanged: () => void }) {
  const t = words().account.passkeys;
  const { state, reload } = useLoader(() => server.account.passkeys.query({}));
  const loaded = state.value;
  const change = async () => {
    await reload();
    onChanged();
  };
  return (
    <section class="panel" aria-labelledby="passkeys" aria-busy={loaded.is === "loading"}>
      <h2 id="passkeys">{t.title}</h2>
      <p class="hint">{t.lead}</p>
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
      {loaded.is === "loaded" && loaded.value.passkeys.length > 0 && (
        <ul class="rows">
          {loaded.value.passkeys.map((passkey) => (
            <Row key={passkey.id} me={me} passkey={passkey} onDeleted={() => void reload()} />
          ))}
        </ul>
      )}
      <AddForm me={me} onAdded={() => void change()} />
    </section>
  );
}

function Row({ me, passkey, onDeleted }: { me: OwnAccount; passkey: Passkey; onDeleted: () => void }) {
  const t = words().account;
  const { failure, send } = useSender();
  const confirmation = useConfirmation(me);
  const { id, name, lastUsed } = passkey;
  const remove = () =>
    send(async () => {
      await confirmation.run((given) => server.account.deletePasskey.mutate({ id, ...given }));
      onDeleted();
    });
  return (
    <li>
      <div>
        <strong class="name">{name}</strong>
        <p class="hint">
          {lastUsed === null
            ? t.tokens.neverUsed
            : fill(t.tokens.lastUsed, { time: formatRelativeTime(lastUsed) })}
        </p>
        <ConfirmationFields confirmation={confirmation} failure={failure.value} />
      </div>
      <ConfirmButton
        action={t.secrets.delete}
        confirm={t.secrets.deleteConfirm}
        label={fill(t.passkeys.deleteLabel, { name })}
        onConfirm={() => void remove()}
      />
    </li>
  );
}

function AddForm({ me, onAdded }: { me: OwnAccount; onAdded: () => void }) {
  const t = words().account.passkeys;
  const name = useSignal("");
  const confirmation = useConfirmation(me);
  const isUnmade = useSignal(false);
  const added = useSignal("");
  const { isBusy, failure, send } = useSender();
  const add = async () => {
    isUnmade.value = false;
    added.value = "";
    const isAdded = await send(async () => {
      const options = await confirmation.run((given) => server.account.beginPasskey.mutate(given));
      const response = await makePasskey(options);
      if (!response) return void (isUnmade.value = true);
      await server.account.addPasskey.mutate({ name: name.value || t.defaultName, response });
    });
    if (!isAdded || isUnmade.value) return;
    added.value = fill(t.added, { name: name.value || t.defaultName });
    name.value = "";
    onAdded();
  };
  return (
    <form class="stack" onSubmit={() => void add()}>
      <TrimmedField label={t.name} value={name} placeholder={t.defaultName} maxLength={64} />
      <ConfirmationFields confirmation={confirmation} failure={failure.value} labels={{ name: t.name }} />
      {isUnmade.value && <Note kind="bad">{t.unmade}</Note>}
      <Status>{added.value}</Status>
      <div class="actions">
        <button aria-busy={isBusy.value}>{t.add}</button>
      </div>
    </form>
  );
}

// The person may have changed their mind, or the authenticator already has this account: browsers do not say which.
async function makePasskey(options: object) {
  const optionsJSON = options as Parameters<typeof startRegistration>[0]["optionsJSON"];
  const made = await startRegistration({ optionsJSON }).catch(() => undefined);
  return made && { ...made, response: { ...made.response } };
}
