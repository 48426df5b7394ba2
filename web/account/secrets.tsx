import { useSignal, type Signal } from "@preact/signals";
import { useLoader, useSender } from "../api/loader.ts";
import { fill, words } from "../app/words.ts";
import { STATUS_KINDS } from "../secrets/secret-status.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNote } from "../parts/job.tsx";
import { formatRelativeTime, formatTime } from "../app/format.ts";
import { server } from "../api/server.ts";

type Page = Awaited<ReturnType<typeof server.secrets.list.query>>;
type Secret = Page["secrets"][number];

/** The secrets of a member, without links or texts, which the server does not have. */
export function OwnSecrets() {
  const t = words().account.secrets;
  const more = useSignal<readonly Secret[]>([]);
  const next = useSignal<string | null>(null);
  const { state, reload } = useLoader(async () => {
    const page = await server.secrets.list.query({ limit: 20 });
    more.value = page.secrets;
    next.value = page.next;
    return page;
  });
  const loaded = state.value;
  return (
    <section class="panel" aria-labelledby="own-secrets">
      <h2 id="own-secrets">{t.title}</h2>
      {loaded.is === "failed" && <FailureNote failure={loaded.failure} />}
      {loaded.is === "loaded" && more.value.length === 0 && <p class="hint">{t.empty}</p>}
      {more.value.length > 0 && <SecretTable secrets={more.value} onChanged={() => void reload()} />}
      {next.value && <MoreButton secrets={more} next={next} />}
    </section>
  );
}

interface MoreProps {
  readonly secrets: Signal<readonly Secret[]>;
  readonly next: Signal<string | null>;
}

function MoreButton({ secrets, next }: MoreProps) {
  const { isBusy, failure, send } = useSender();
  const load = () =>
    send(async () => {
      const page = await server.secrets.list.query({
        limit: 20,
        ...(next.value ? { cursor: next.value } : {}),
      });
      secrets.value = [...secrets.value, ...page.secrets];
      next.value = page.next;
    });
  return (
    <div class="actions">
      <button type="button" class="small" disabled={isBusy.value} onClick={() => void load()}>
        {words().account.secrets.older}
      </button>
      {failure.value && <FailureNote failure={failure.value} />}
    </div>
  );
}

function SecretTable({ secrets, onChanged }: { secrets: readonly Secret[]; onChanged: () => void }) {
  const { failure, send } = useSender();
  const revoke = async (id: string) => {
    if (await send(() => server.secrets.revokeOwn.mutate({ id }))) onChanged();
  };
  return (
    <>
      <ul class="rows">
        {secrets.map((secret) => (
          <SecretRow key={secret.id} secret={secret} onRevoke={() => void revoke(secret.id)} />
        ))}
      </ul>
      {failure.value && <FailureNote failure={failure.value} />}
    </>
  );
}

function SecretRow({ secret, onRevoke }: { secret: Secret; onRevoke: () => void }) {
  const { id, status, created, closed, expiry, hasPassphrase } = secret;
  const { account, common } = words();
  const t = account.secrets;
  const facts = [
    fill(t.shared, { time: formatTime(created) }),
    closed ? formatTime(closed) : fill(t.expires, { time: formatRelativeTime(expiry) }),
    ...(hasPassphrase ? [t.withPassphrase] : []),
  ];
  return (
    <li>
      <div>
        <p>
          <span class={`tag ${STATUS_KINDS[status]}`}>{common.status[status]}</span> <code>{id}</code>
        </p>
        <p class="hint">{facts.join("; ")}</p>
      </div>
      {status === "active" && (
        <ConfirmButton
          action={t.delete}
          confirm={t.deleteConfirm}
          label={fill(t.deleteLabel, { id })}
          onConfirm={onRevoke}
        />
      )}
    </li>
  );
}
