import { useSignal, type Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { HOOK_EVENTS, MAX_HOOKS, USUAL_HOOK_EVENTS, type HookEvent } from "../../wire/hooks.ts";
import { useLoader, useSender } from "../api/loader.ts";
import { server } from "../api/server.ts";
import { formatTime } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { useLostFocus } from "../app/focus.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { isWhole, Field, Select, TrimmedField } from "../parts/field.tsx";
import { Note } from "../parts/note.tsx";
import { SomeOf } from "../parts/some-of.tsx";
import { MemberFailure } from "./member-failure.tsx";

type MemberHooks = Awaited<ReturnType<typeof server.hooks.list.query>>;
type Hook = MemberHooks["hooks"][number];

/** The services' own names; only the standard form is translated. */
function formNames(): Readonly<Record<Hook["form"], string>> {
  return {
    ntfy: "ntfy",
    slack: "Slack, Mattermost, Rocket.Chat",
    teams: "Microsoft Teams",
    matrix: "Matrix (Hookshot)",
    standard: words().account.hooks.standard,
  };
}

const EVENTS = {
  secret: HOOK_EVENTS.filter((each) => each.startsWith("secret.")),
  request: HOOK_EVENTS.filter((each) => each.startsWith("request.")),
};

function eventNames(): Readonly<Record<HookEvent, string>> {
  const { account, status: secret, asking } = words();
  const { answered, collected, cancelled, expired } = asking.status;
  return {
    "secret.created": account.hooks.shared,
    "secret.revealed": secret.revealed,
    "secret.revoked": secret.revoked,
    "secret.expired": secret.expired,
    "secret.locked": secret.locked,
    "request.created": account.hooks.asked,
    "request.answered": answered,
    "request.collected": collected,
    "request.cancelled": cancelled,
    "request.expired": expired,
  };
}

/** Where a member's hooks are; nothing where the operator has allowed no hosts. */
export function OwnHooks() {
  const t = words().account.hooks;
  const { state, reload } = useLoader(() => server.hooks.list.query({}));
  const made = useSignal<readonly MadeKey[]>([]);
  const copied = useSignal<ReadonlySet<string>>(new Set());
  const changing = useSignal<string | undefined>(undefined);
  const loaded = state.value;
  if (loaded.is === "loading") return <div aria-busy />;
  const listed = loaded.is === "loaded" ? loaded.value : undefined;
  if (listed && listed.hosts.length === 0 && listed.hooks.length === 0) return null;
  const take = (next: MadeKey | undefined, ended = next?.id) => {
    changing.value = undefined;
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
      {listed && canAdd(listed) && changing.value === undefined && (
        <HookForm hosts={listed.hosts} onDone={take} />
      )}
    </section>
  );
}

function canAdd({ hosts, hooks }: MemberHooks): boolean {
  return hosts.length > 0 && hooks.length < MAX_HOOKS;
}

/** The signing secret of a hook, with the hook's id and host; shown once. */
interface MadeKey {
  readonly id: string;
  readonly host: string;
  readonly secret: string;
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

function HookForm({
  hosts,
  hook,
  onDone,
  onCancel,
}: {
  readonly hosts: readonly string[];
  /** The hook to change; without one, a new hook is added. */
  readonly hook?: Hook;
  /** Called with the signing secret where there is a new one. */
  readonly onDone: (made: MadeKey | undefined) => void;
  readonly onCancel?: () => void;
}) {
  const t = words().account.hooks;
  const url = useSignal("");
  const form = useSignal<Hook["form"]>(hook?.form ?? "ntfy");
  const told = hook?.events ?? USUAL_HOOK_EVENTS;
  const ofSecrets = useSignal(EVENTS.secret.filter((each) => told.includes(each)));
  const ofRequests = useSignal(EVENTS.request.filter((each) => told.includes(each)));
  const events = [...ofSecrets.value, ...ofRequests.value];
  const { isBusy, failure, send } = useSender();
  const store = async () => {
    const place = { url: url.value, form: form.value };
    if (!hook) return server.hooks.create.mutate({ ...place, events });
    // A hook that keeps its address needs no test call.
    const isMoved = place.url !== "" || place.form !== hook.form || hook.ended !== null;
    const moved = { url: place.url || undefined, form: place.form };
    return server.hooks.change.mutate({ id: hook.id, events, ...(isMoved && moved) });
  };
  const submit = () =>
    send(async () => {
      const [asked, { id, host, secret }] = [url.value, await store()];
      if (url.value === asked) url.value = "";
      onDone(secret === null ? undefined : { id, host, secret });
    });
  const hint = fill(t.urlHint, { hosts: hosts.join(", ") });
  const names = eventNames();
  return (
    <form class="stack" onSubmit={() => void submit()}>
      <div class="fields">
        <TrimmedField
          label={t.url}
          hint={hook ? `${t.urlKept} ${hint}` : hint}
          value={url}
          placeholder="https://"
          inputMode="url"
          isCode
          isRequired={!hook}
          isFocused={hook !== undefined}
        />
        <Field label={t.form}>{(ids) => <Select {...ids} value={form} names={formNames()} />}</Field>
      </div>
      <div class="fields">
        <SomeOf legend={t.ofSecrets} all={EVENTS.secret} names={names} chosen={ofSecrets} />
        <SomeOf legend={t.ofRequests} all={EVENTS.request} names={names} chosen={ofRequests} />
      </div>
      {failure.value && <MemberFailure failure={failure.value} labels={{ url: t.url }} />}
      <div class="actions">
        <button disabled={events.length === 0} aria-busy={isBusy.value}>
          {hook ? t.save : t.submit}
        </button>
        {onCancel && (
          <button type="button" class="quiet" onClick={onCancel}>
            {words().common.cancel}
          </button>
        )}
      </div>
    </form>
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
  /** Hooks cannot be changed where this server calls none. */
  readonly onChange: (() => void) | undefined;
  readonly onRemove: () => void;
}

function HookRow({ hook: { form, host, events, created, ended }, onChange, onRemove }: RowProps) {
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
          <strong>{host}</strong> {ended && <span class="tag warn">{t.ended}</span>}
        </p>
        <p class="hint">{[formNames()[form], fill(t.since, { time: formatTime(created) })].join(" · ")}</p>
        {/* The address is not shown again: hooks of one host differ in what they tell. */}
        {tell(t.ofSecrets, EVENTS.secret)}
        {tell(t.ofRequests, EVENTS.request)}
      </div>
      {onChange && <ChangeButton host={host} onClick={onChange} />}
      <ConfirmButton
        action={t.remove}
        confirm={t.removeConfirm}
        label={fill(t.removeLabel, { host })}
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
