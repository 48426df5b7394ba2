import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useLoader, useSender } from "../api/loader.ts";
import { CopyButton } from "../parts/copy.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Field, isWhole, TrimmedField } from "../parts/field.tsx";
import type { OwnAccount } from "./current-session.tsx";
import { MemberFailure } from "./member-failure.tsx";
import { ConfirmationFields, useConfirmation, type Proofs } from "./ways/confirmation.tsx";
import { Note } from "../parts/note.tsx";
import { useUnsaved } from "../app/unsaved.tsx";
import { fill, words } from "../app/language/words.ts";
import { formatDuration, formatRelativeTime, formatTime } from "../app/language/format.ts";
import { server } from "../api/server.ts";
import { MAX_TOKEN_NAME_LENGTH } from "../../wire/limits.ts";

type Token = Awaited<ReturnType<typeof server.tokens.list.query>>["tokens"][number];

const LIFETIMES = ["2592000", "7776000", "31536000"];
const YEAR = "31536000";
const NEVER = "never";

/** Tokens for scripts. A token is shown only when it is created. */
export function OwnTokens({ me }: { me: OwnAccount }) {
  const t = words().account.tokens;
  const { state, reload } = useLoader(() => server.tokens.list.query({}));
  const made = useSignal<readonly MadeToken[]>([]);
  const copied = useSignal<ReadonlySet<string>>(new Set());
  const loaded = state.value;
  const take = async (next: MadeToken) => {
    // A token that nobody has copied is nowhere else.
    made.value = [next, ...made.value.filter(({ token }) => !copied.value.has(token))];
    await reload();
  };
  const drop = (id: string) => {
    made.value = made.value.filter((each) => each.id !== id);
    void reload();
  };
  return (
    <section class="panel" aria-labelledby="tokens" aria-busy={loaded.is === "loading"}>
      <h2 id="tokens">{t.title}</h2>
      <p class="hint">{t.lead}</p>
      {made.value.map((each) => (
        <NewToken
          key={each.token}
          made={each}
          isOnly={made.value.length === 1}
          isCopied={copied.value.has(each.token)}
          onCopied={() => (copied.value = new Set([...copied.value, each.token]))}
        />
      ))}
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
      {loaded.is === "loaded" && loaded.value.tokens.length > 0 && (
        <TokenList tokens={loaded.value.tokens} onRevoked={drop} />
      )}
      <TokenForm me={me} onMade={(next) => void take(next)} />
    </section>
  );
}

interface MadeToken {
  readonly id: string;
  readonly token: string;
  readonly name: string;
}

function NewToken({
  made: { token, name },
  isOnly,
  isCopied,
  onCopied,
}: {
  made: MadeToken;
  /** Whether it is the only one shown; of several, each has its name. */
  isOnly: boolean;
  isCopied: boolean;
  onCopied: () => void;
}) {
  const t = words().account.tokens;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  useUnsaved("token", !isCopied);
  const label = isOnly ? t.newLabel : fill(words().frame.labeled, { label: t.newLabel, value: name });
  return (
    <Note kind="good" title={t.new}>
      {!isOnly && <p>{name}</p>}
      <div class="link">
        <input
          ref={field}
          class="code"
          readOnly
          autocomplete="off"
          value={token}
          aria-label={label}
          onFocus={(event) => event.currentTarget.select()}
          onCopy={(event) => isWhole(event) && onCopied()}
        />
        <CopyButton kind="primary" text={() => token} label={t.copy} onCopied={onCopied} />
      </div>
    </Note>
  );
}

function TokenForm({ me, onMade }: { me: OwnAccount; onMade: (made: MadeToken) => void }) {
  const t = words().account.tokens;
  const name = useSignal("");
  const lifetime = useSignal(YEAR);
  const confirmation = useConfirmation(me);
  const { isBusy, failure, send } = useSender();
  const choose = (event: { currentTarget: HTMLSelectElement }) => {
    lifetime.value = event.currentTarget.value;
    // Only a token without an expiry needs a proof.
    confirmation.reset();
    failure.value = undefined;
  };
  const stays = lifetime.value === NEVER;
  const labels = { name: t.name, expires: t.lifetime };
  const make = async () => {
    const asked = name.value;
    const create = (given: Proofs) =>
      server.tokens.create.mutate({
        ...given,
        name: asked,
        expires: stays ? null : Number(lifetime.value),
      });
    await send(async () => {
      const { id, token } = stays ? await confirmation.run(create) : await create({});
      onMade({ id, token, name: asked });
      if (name.value === asked) name.value = "";
    });
  };
  return (
    <form class="stack" onSubmit={() => void make()}>
      <div class="fields">
        <TrimmedField
          label={t.name}
          value={name}
          placeholder={t.namePlaceholder}
          maxLength={MAX_TOKEN_NAME_LENGTH}
          isRequired
        />
        <Field label={t.lifetime}>
          {(ids) => (
            <select {...ids} value={lifetime.value} onChange={choose}>
              {LIFETIMES.map((value) => (
                <option key={value} value={value}>
                  {value === YEAR ? t.year : formatDuration(Number(value))}
                </option>
              ))}
              <option value={NEVER}>{t.never}</option>
            </select>
          )}
        </Field>
      </div>
      {stays && <ConfirmationFields confirmation={confirmation} failure={failure.value} labels={labels} />}
      {!stays && failure.value && <MemberFailure failure={failure.value} labels={labels} />}
      <div class="actions">
        <button aria-busy={isBusy.value}>{t.submit}</button>
      </div>
    </form>
  );
}

function TokenList({ tokens, onRevoked }: { tokens: readonly Token[]; onRevoked: (id: string) => void }) {
  const t = words().account.tokens;
  const { failure, send } = useSender();
  const revoke = async (id: string) => {
    if (await send(() => server.tokens.revoke.mutate({ id }))) onRevoked(id);
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
                {[
                  lastUsed ? fill(t.lastUsed, { time: formatTime(lastUsed) }) : t.neverUsed,
                  expiry ? fill(t.expires, { time: formatRelativeTime(expiry) }) : t.noExpiry,
                ].join(" · ")}
              </p>
            </div>
            <ConfirmButton
              action={t.revoke}
              confirm={t.revokeConfirm}
              label={fill(t.revokeLabel, { name })}
              onConfirm={() => void revoke(id)}
            />
          </li>
        ))}
      </ul>
      {failure.value && <MemberFailure failure={failure.value} />}
    </>
  );
}
