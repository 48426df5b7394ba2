import { useSignal } from "@preact/signals";
import { useLoader, useSender } from "../api/loader.ts";
import { server } from "../api/server.ts";
import { formatTime } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Field, TextField } from "../parts/field.tsx";
import { Note } from "../parts/note.tsx";
import { MemberFailure } from "./member-failure.tsx";

type Listed = Awaited<ReturnType<typeof server.hooks.list.query>>;
type Hook = Listed["hooks"][number];

const MAX_HOOKS = 3;
/** What they are called everywhere; the standard form has a word in each language. */
const SERVICES = {
  ntfy: "ntfy",
  slack: "Slack, Mattermost, Rocket.Chat",
  teams: "Microsoft Teams",
  matrix: "Matrix (Hookshot)",
} as const;
const FORMS = ["ntfy", "slack", "teams", "matrix", "standard"] as const satisfies readonly Hook["form"][];

function nameOf(form: Hook["form"]): string {
  return form === "standard" ? words().account.hooks.standard : SERVICES[form];
}

/** Where a member is told what becomes of their secrets; nothing where the operator has named no hosts. */
export function OwnHooks() {
  const t = words().account.hooks;
  const { state, reload } = useLoader(() => server.hooks.list.query({}));
  const made = useSignal<string | undefined>(undefined);
  const loaded = state.value;
  if (loaded.is === "loading") return null;
  const listed = loaded.is === "loaded" ? loaded.value : undefined;
  if (listed && listed.hosts.length === 0 && listed.hooks.length === 0) return null;
  const take = async (secret: string | null) => {
    made.value = secret ?? undefined;
    await reload();
  };
  return (
    <section class="panel" aria-labelledby="hooks">
      <h2 id="hooks">{t.title}</h2>
      <p class="hint">{t.lead}</p>
      {made.value && <SigningKey secret={made.value} />}
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
      {listed && listed.hooks.length > 0 && <HookList hooks={listed.hooks} onChanged={() => void reload()} />}
      {listed && listed.hosts.length > 0 && listed.hooks.length < MAX_HOOKS && (
        <HookForm hosts={listed.hosts} onMade={(secret) => void take(secret)} />
      )}
    </section>
  );
}

function SigningKey({ secret }: { secret: string }) {
  const t = words().account.hooks;
  const copied = useSignal("");
  useUnsaved("token", copied.value !== secret);
  const markCopied = () => (copied.value = secret);
  return (
    <Note kind="good" title={t.secret}>
      <div class="link">
        <input class="code" readOnly value={secret} aria-label={t.secretLabel} onCopy={markCopied} />
        <CopyButton kind="primary" text={() => secret} onCopied={markCopied} />
      </div>
    </Note>
  );
}

function HookForm({ hosts, onMade }: { hosts: readonly string[]; onMade: (secret: string | null) => void }) {
  const t = words().account.hooks;
  const url = useSignal("");
  const form = useSignal<Hook["form"]>("ntfy");
  const { isBusy, failure, send } = useSender();
  const add = (event: Event) => {
    event.preventDefault();
    void send(async () => {
      const { secret } = await server.hooks.create.mutate({ url: url.value.trim(), form: form.value });
      url.value = "";
      onMade(secret);
    });
  };
  return (
    <form class="stack" onSubmit={add}>
      <div class="fields">
        <TextField
          label={t.url}
          hint={fill(t.urlHint, { hosts: hosts.join(", ") })}
          value={url}
          placeholder="https://"
          isRequired
        />
        <Field label={t.form}>
          {(ids) => (
            <select
              {...ids}
              value={form.value}
              onChange={({ currentTarget }) =>
                (form.value = FORMS[currentTarget.selectedIndex] ?? form.value)
              }
            >
              {FORMS.map((each) => (
                <option key={each} value={each}>
                  {nameOf(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {failure.value && <MemberFailure failure={failure.value} />}
      <div class="actions">
        <button aria-busy={isBusy.value}>{t.submit}</button>
      </div>
    </form>
  );
}

function HookList({ hooks, onChanged }: { hooks: readonly Hook[]; onChanged: () => void }) {
  const t = words().account.hooks;
  const { failure, send } = useSender();
  const remove = async (id: string) => {
    if (await send(() => server.hooks.remove.mutate({ id }))) onChanged();
  };
  return (
    <>
      <ul class="rows">
        {hooks.map(({ id, form, host, created, ended }) => (
          <li key={id}>
            <div>
              <p>
                <strong>{host}</strong> {ended && <span class="tag warn">{t.ended}</span>}
              </p>
              <p class="hint">{[nameOf(form), fill(t.since, { time: formatTime(created) })].join(" · ")}</p>
            </div>
            <ConfirmButton
              action={t.remove}
              confirm={t.removeConfirm}
              label={fill(t.removeLabel, { host })}
              onConfirm={() => void remove(id)}
            />
          </li>
        ))}
      </ul>
      {failure.value && <MemberFailure failure={failure.value} />}
    </>
  );
}
