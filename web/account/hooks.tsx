import { useSignal, type Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MAX_HOOKS, type HookEvent } from "../../wire/hooks.ts";
import { useLoader, useSender } from "../api/loader.ts";
import { server } from "../api/server.ts";
import { formatTime } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { useLostFocus } from "../app/focus.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { isWhole } from "../parts/field.tsx";
import { Note, Status } from "../parts/note.tsx";
import {
  EVENTS,
  eventNames,
  formNames,
  HookForm,
  type Hook,
  type MadeKey,
  type MemberHooks,
} from "./hook-form.tsx";
import { MemberFailure } from "./member-failure.tsx";

/** Where a member's hooks are; nothing where the operator has allowed no hosts. */
export function OwnHooks() {
  const t = words().account.hooks;
  const { state, reload } = useLoader(() => server.hooks.list.query({}));
  const made = useSignal<readonly MadeKey[]>([]);
  const copied = useSignal<ReadonlySet<string>>(new Set());
  const changing = useSignal<string | undefined>(undefined);
  /** The host of the hook that was just added, where no key says so. */
  const added = useSignal<string | undefined>(undefined);
  const loaded = state.value;
  if (loaded.is === "loading") return <div aria-busy />;
  const listed = loaded.is === "loaded" ? loaded.value : undefined;
  if (listed && listed.hosts.length === 0 && listed.hooks.length === 0) return null;
  const take = (next: MadeKey | undefined, ended = next?.id) => {
    changing.value = added.value = undefined;
    // A key that nobody has copied is nowhere else, unless another has taken its place.
    const others = made.value.filter(({ id }) => id !== ended);
    made.value = next ? [next, ...others.filter(({ secret }) => !copied.value.has(secret))] : others;
    void reload();
  };
  return (
    <section class="panel" aria-labelledby="hooks">
      <h2 id="hooks">{t.title}</h2>
      <p class="hint">{t.lead}</p>
      {made.value.map((each) => (
        <SigningKey
          key={each.secret}
          made={each}
          isCopied={copied.value.has(each.secret)}
          onCopied={() => (copied.value = new Set([...copied.value, each.secret]))}
        />
      ))}
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
      {listed && listed.hooks.length > 0 && <HookList {...listed} changing={changing} onChanged={take} />}
      <Status kind="hint">{added.value && fill(t.added, { host: added.value })}</Status>
      {listed && isFull(listed) && <p class="hint">{words().errors.too_many_hooks}</p>}
      {listed && canAdd(listed) && changing.value === undefined && (
        <HookForm
          hosts={listed.hosts}
          onDone={(next, host) => {
            take(next);
            if (!next) added.value = host;
          }}
        />
      )}
    </section>
  );
}

function canAdd(listed: MemberHooks): boolean {
  return listed.hosts.length > 0 && !isFull(listed);
}

function isFull({ hooks }: MemberHooks): boolean {
  return hooks.length >= MAX_HOOKS;
}

/** Hooks of one host are told apart by a number. */
function nameOf({ id, host }: Hook, hooks: readonly Hook[]): string {
  const alike = hooks.filter((each) => each.host === host);
  return alike.length > 1 ? `${host} (${alike.findIndex((each) => each.id === id) + 1})` : host;
}

function SigningKey({
  made: { host, secret },
  isCopied,
  onCopied,
}: {
  made: MadeKey;
  isCopied: boolean;
  onCopied: () => void;
}) {
  const t = words().account.hooks;
  useUnsaved("token", !isCopied);
  return (
    <Note kind="good" title={t.secret}>
      <p>{host}</p>
      <div class="link">
        <input
          class="code"
          readOnly
          autocomplete="off"
          value={secret}
          aria-label={t.secretLabel}
          onCopy={(event) => isWhole(event) && onCopied()}
        />
        <CopyButton kind="primary" text={() => secret} onCopied={onCopied} />
      </div>
    </Note>
  );
}

function HookList({
  hooks,
  hosts,
  changing,
  onChanged,
}: MemberHooks & {
  /** The id of the hook whose form is shown. */
  changing: Signal<string | undefined>;
  onChanged: (made: MadeKey | undefined, removed?: string) => void;
}) {
  const { failure, send } = useSender();
  const remove = async (id: string) => {
    if (await send(() => server.hooks.remove.mutate({ id }))) onChanged(undefined, id);
  };
  return (
    <>
      <ul class="rows">
        {hooks.map((hook) => (
          <li key={hook.id}>
            {changing.value === hook.id ? (
              <div>
                <HookForm
                  hosts={hosts}
                  hook={hook}
                  onDone={onChanged}
                  onCancel={() => (changing.value = undefined)}
                />
              </div>
            ) : (
              <HookRow
                hook={hook}
                name={nameOf(hook, hooks)}
                onChange={hosts.length > 0 ? () => (changing.value = hook.id) : undefined}
                onRemove={() => void remove(hook.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {failure.value && <MemberFailure failure={failure.value} />}
    </>
  );
}

interface RowProps {
  readonly hook: Hook;
  readonly name: string;
  /** Hooks cannot be changed where this server calls none. */
  readonly onChange: (() => void) | undefined;
  readonly onRemove: () => void;
}

function HookRow({ hook: { form, events, created, ended }, name, onChange, onRemove }: RowProps) {
  const t = words().account.hooks;
  const names = eventNames();
  const tell = (label: string, all: readonly HookEvent[]) => {
    const told = all.filter((each) => events.includes(each)).map((each) => names[each]);
    return (
      told.length > 0 && <p class="hint">{fill(words().frame.labeled, { label, value: told.join(", ") })}</p>
    );
  };
  return (
    <>
      <div>
        <p>
          <strong>{name}</strong> {ended && <span class="tag warn">{t.ended}</span>}
        </p>
        <p class="hint">{[formNames()[form], fill(t.since, { time: formatTime(created) })].join(" · ")}</p>
        {/* The address is not shown again: hooks of one host differ in what they tell. */}
        {tell(t.ofSecrets, EVENTS.secret)}
        {tell(t.ofRequests, EVENTS.request)}
      </div>
      {onChange && <ChangeButton host={name} onClick={onChange} />}
      <ConfirmButton
        action={t.remove}
        confirm={t.removeConfirm}
        label={fill(t.removeLabel, { host: name })}
        onConfirm={onRemove}
      />
    </>
  );
}

// A component of its own, so that after a form it takes the focus before the button that removes the hook.
function ChangeButton({ host, onClick }: { host: string; onClick: () => void }) {
  const t = words().account.hooks;
  const button = useRef<HTMLButtonElement>(null);
  useLostFocus(button);
  return (
    <button
      ref={button}
      type="button"
      class="small"
      aria-label={fill(t.changeLabel, { host })}
      onClick={onClick}
    >
      {t.change}
    </button>
  );
}
