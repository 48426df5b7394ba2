import { useSignal } from "@preact/signals";
import { HOOK_EVENTS, USUAL_HOOK_EVENTS, type HookEvent } from "../../wire/hooks.ts";
import { useSender } from "../api/loader.ts";
import { server } from "../api/server.ts";
import { fill, words } from "../app/language/words.ts";
import { CancelButton } from "../parts/buttons.tsx";
import { Field, Select, TrimmedField } from "../parts/field.tsx";
import { SomeOf } from "../parts/some-of.tsx";
import { MemberFailure, Rule, wrongField } from "./member-failure.tsx";

export type MemberHooks = Awaited<ReturnType<typeof server.hooks.list.query>>;
export type Hook = MemberHooks["hooks"][number];

/** The signing secret of a hook, with the hook's id and host; shown once. */
export interface MadeKey {
  readonly id: string;
  readonly host: string;
  readonly secret: string;
}

/** Adds a hook, or changes one. */
export function HookForm({
  hosts,
  hook,
  onDone,
  onCancel,
}: {
  readonly hosts: readonly string[];
  /** The hook to change; without one, a new hook is added. */
  readonly hook?: Hook;
  /** Called with the signing secret where there is a new one, and the host of a hook that was added. */
  readonly onDone: (made: MadeKey | undefined, added?: string) => void;
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
      onDone(secret === null ? undefined : { id, host, secret }, hook ? undefined : host);
    });
  const allowed = { hosts: hosts.join(", ") };
  const hint = fill(t.urlHint, allowed);
  const isWrong = wrongField(failure.value, ["url"]) !== undefined;
  const rule = failure.value?.fields.allowed === undefined ? t.wrong.address : fill(t.wrong.host, allowed);
  const names = eventNames();
  return (
    <form class="stack" onSubmit={() => void submit()}>
      <div class="fields">
        <TrimmedField
          label={t.url}
          hint={
            <Rule broken={isWrong ? failure.value : undefined} length={url.value.length}>
              {isWrong ? rule : hook ? `${t.urlKept} ${hint}` : hint}
            </Rule>
          }
          value={url}
          placeholder="https://"
          inputMode="url"
          isCode
          isInvalid={isWrong}
          isRequired={!hook}
          isFocused={hook !== undefined}
        />
        <Field label={t.form}>{(ids) => <Select {...ids} value={form} names={formNames()} />}</Field>
      </div>
      <div class="fields">
        <SomeOf legend={t.ofSecrets} all={EVENTS.secret} names={names} chosen={ofSecrets} />
        <SomeOf legend={t.ofRequests} all={EVENTS.request} names={names} chosen={ofRequests} />
      </div>
      {failure.value && <MemberFailure failure={failure.value} atFields={["url"]} />}
      <div class="actions">
        <button disabled={events.length === 0} aria-busy={isBusy.value}>
          {hook ? t.save : t.submit}
        </button>
        {onCancel && <CancelButton onClick={onCancel} />}
      </div>
    </form>
  );
}

/** The services' own names; only the standard form is translated. */
export function formNames(): Readonly<Record<Hook["form"], string>> {
  return {
    ntfy: "ntfy",
    slack: "Slack, Mattermost, Rocket.Chat",
    teams: "Microsoft Teams",
    matrix: "Matrix (Hookshot)",
    standard: words().account.hooks.standard,
  };
}

export const EVENTS = {
  secret: HOOK_EVENTS.filter((each) => each.startsWith("secret.")),
  request: HOOK_EVENTS.filter((each) => each.startsWith("request.")),
};

export function eventNames(): Readonly<Record<HookEvent, string>> {
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
