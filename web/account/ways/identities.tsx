import { useLoader, useSender } from "../../api/loader.ts";
import { server } from "../../api/server.ts";
import { formatRelativeTime, formatTime } from "../../app/language/format.ts";
import { fill, words } from "../../app/language/words.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { ConfirmationFields, useConfirmation } from "./confirmation.tsx";
import type { OwnAccount } from "../current-session.tsx";
import { MemberFailure } from "../member-failure.tsx";

type Identity = Awaited<ReturnType<typeof server.account.identities.query>>[number];

/** The accounts at the organization's provider that open the member's, and connecting one. */
export function Identities({
  me,
  provider,
  onChanged,
}: {
  me: OwnAccount;
  provider: string;
  /** The account must be loaded again. */
  onChanged: () => void;
}) {
  const t = words().account.identities;
  const { state, reload } = useLoader(() => server.account.identities.query({}));
  const loaded = state.value;
  const change = async () => {
    await reload();
    onChanged();
  };
  return (
    <section class="panel" aria-labelledby="identities" aria-busy={loaded.is === "loading"}>
      <h2 id="identities">{fill(t.title, { name: provider })}</h2>
      <p class="hint">{fill(t.lead, { name: provider })}</p>
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
      {loaded.is === "loaded" && loaded.value.length > 0 && (
        <ul class="rows">
          {loaded.value.map((identity) => (
            <Row key={identity.id} me={me} identity={identity} onDeleted={() => void change()} />
          ))}
        </ul>
      )}
      <AddForm me={me} provider={provider} />
    </section>
  );
}

function Row({ me, identity, onDeleted }: { me: OwnAccount; identity: Identity; onDeleted: () => void }) {
  const t = words().account;
  const { failure, send } = useSender();
  const confirmation = useConfirmation(me);
  const { id, provider, created, lastUsed } = identity;
  const name = identity.name ?? provider;
  const facts = [
    ...(name === provider ? [] : [provider]),
    fill(t.identities.since, { time: formatTime(created) }),
    fill(t.tokens.lastUsed, { time: formatRelativeTime(lastUsed) }),
  ];
  const remove = () =>
    send(async () => {
      await confirmation.run((given) => server.account.deleteIdentity.mutate({ id, ...given }));
      onDeleted();
    });
  return (
    <li>
      <div>
        <strong class="name">
          <bdi>{name}</bdi>
        </strong>
        <p class="hint">{facts.join(" · ")}</p>
        <ConfirmationFields confirmation={confirmation} failure={failure.value} />
      </div>
      <ConfirmButton
        action={t.identities.delete}
        confirm={t.identities.deleteConfirm}
        label={fill(t.identities.deleteLabel, { name })}
        onConfirm={() => void remove()}
      />
    </li>
  );
}

function AddForm({ me, provider }: { me: OwnAccount; provider: string }) {
  const { isBusy, failure, send } = useSender();
  const confirmation = useConfirmation(me);
  const begin = () =>
    send(async () => {
      const { url } = await confirmation.run((given) => server.account.beginIdentity.mutate(given));
      // The way back asks for a confirmation, and leads to the account.
      location.assign(url);
    });
  return (
    <form class="stack" onSubmit={() => void begin()}>
      <ConfirmationFields confirmation={confirmation} failure={failure.value} />
      <div class="actions">
        <button aria-busy={isBusy.value}>{fill(words().account.organisation.tie, { name: provider })}</button>
      </div>
    </form>
  );
}
