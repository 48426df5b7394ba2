import { useSignal } from "@preact/signals";
import { useLoader, useSender } from "../api/loader.ts";
import { CopyButton } from "../parts/copy.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Field, TextField } from "../parts/field.tsx";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { useUnsaved } from "../app/unsaved.tsx";
import { formatRelativeTime, formatTime } from "../app/format.ts";
import { server } from "../api/server.ts";

type Token = Awaited<ReturnType<typeof server.tokens.list.query>>["tokens"][number];

const LIFETIMES = {
  "2592000": "30 days",
  "7776000": "90 days",
  "31536000": "1 year",
  never: "Never",
} as const;

/** Tokens for scripts. A token is shown only when it is created. */
export function Tokens() {
  const { state, reload } = useLoader(() => server.tokens.list.query({}));
  const made = useSignal<string | undefined>(undefined);
  const loaded = state.value;
  const take = async (token: string) => {
    made.value = token;
    await reload();
  };
  return (
    <section class="panel" aria-labelledby="tokens">
      <h2 id="tokens">API tokens</h2>
      <p class="hint">
        A token raises the limits of scripts, and lists and revokes your secrets. It can do nothing else.
      </p>
      {made.value && <NewToken token={made.value} />}
      {loaded.is === "failed" && <FailureNote failure={loaded.failure} />}
      {loaded.is === "loaded" && loaded.value.tokens.length > 0 && (
        <TokenList tokens={loaded.value.tokens} onChanged={() => void reload()} />
      )}
      <TokenForm onMade={(token) => void take(token)} />
    </section>
  );
}

function NewToken({ token }: { token: string }) {
  const copied = useSignal("");
  const markCopied = () => (copied.value = token);
  useUnsaved("token", copied.value !== token);
  return (
    <Note kind="good" title="Copy your token now: it is shown only this once">
      <div class="link">
        <input
          class="code"
          readOnly
          value={token}
          aria-label="The new token"
          onFocus={(event) => event.currentTarget.select()}
          onCopy={markCopied}
        />
        <CopyButton kind="primary" text={() => token} label="Copy token" onCopied={markCopied} />
      </div>
    </Note>
  );
}

function TokenForm({ onMade }: { onMade: (token: string) => void }) {
  const name = useSignal("");
  const lifetime = useSignal("31536000");
  const { isBusy, failure, send } = useSender();
  const make = async (event: Event) => {
    event.preventDefault();
    const expires = lifetime.value === "never" ? null : Number(lifetime.value);
    await send(async () => {
      const { token } = await server.tokens.create.mutate({ name: name.value, expires });
      name.value = "";
      onMade(token);
    });
  };
  return (
    <form class="stack" onSubmit={(event) => void make(event)}>
      <div class="fields">
        <TextField label="What it is for" value={name} placeholder="Backup script" />
        <Field label="Expires after">
          {(ids) => (
            <select
              {...ids}
              value={lifetime.value}
              onChange={(event) => (lifetime.value = event.currentTarget.value)}
            >
              {Object.entries(LIFETIMES).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {failure.value && <FailureNote failure={failure.value} />}
      <div class="actions">
        <button disabled={isBusy.value}>Make a token</button>
      </div>
    </form>
  );
}

function TokenList({ tokens, onChanged }: { tokens: readonly Token[]; onChanged: () => void }) {
  const { failure, send } = useSender();
  const revoke = async (id: string) => {
    if (await send(() => server.tokens.revoke.mutate({ id }))) onChanged();
  };
  return (
    <>
      <ul class="rows">
        {tokens.map(({ id, name, prefix, expiry, lastUsed }) => (
          <li key={id}>
            <div>
              <p>
                <strong>{name}</strong> <code>{prefix}…</code>
              </p>
              <p class="hint">
                {lastUsed ? `Last used ${formatTime(lastUsed)}` : "Never used"};{" "}
                {expiry ? `expires ${formatRelativeTime(expiry)}` : "does not expire"}
              </p>
            </div>
            <ConfirmButton
              action="Revoke"
              confirm="Yes, revoke it"
              label={`Revoke ${name}`}
              onConfirm={() => void revoke(id)}
            />
          </li>
        ))}
      </ul>
      {failure.value && <FailureNote failure={failure.value} />}
    </>
  );
}
