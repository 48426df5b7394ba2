import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadSecretLimits, secretLimits } from "../api/limits.ts";
import { formatNumber } from "../app/format.ts";
import { fill, words } from "../app/words.ts";
import { LifetimeField, lifetimeSeconds } from "../secrets/lifetime.tsx";
import { generatePasswords } from "../../tools/password.ts";
import { SecretField, Choices } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { FailureNote, useJob } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { useUnsaved } from "../app/unsaved.tsx";
import { PageHead } from "../app/shell.tsx";
import { TOOLS } from "../app/pages.ts";
import { canEncrypt, shareSecret, type EncryptionSide, type CreatedSecret } from "../secrets/share.ts";
import { clearDraft, readDraft, useShareDraft, type ShareDraft } from "../secrets/share-draft.ts";
import { SharedSecret } from "../secrets/shared-secret.tsx";
import { Cards } from "../parts/cards.tsx";

/** Turns a text into a link that opens once. */
export function Page() {
  const job = useJob<CreatedSecret>();
  const draft = useShareDraft();
  const state = job.state.value;
  const share = () =>
    job.start(async () => {
      const created = await shareSecret(readDraft(draft));
      clearDraft(draft);
      return created;
    });
  if (state.is === "done") return <SharedSecret shared={state.result} onAnother={job.clear} />;
  return (
    <section class="page">
      <PageHead title={words().pages.share.title}>{words().share.lead}</PageHead>
      <ShareForm draft={draft} isBusy={state.is === "running"} onShare={() => void share()} />
      {state.is === "failed" && <FailureNote failure={state.failure} title={words().share.failed} />}
      <ToolTeaser />
    </section>
  );
}

interface ShareFormProps {
  readonly draft: ShareDraft;
  readonly isBusy: boolean;
  readonly onShare: () => void;
}

function ShareForm({ draft, isBusy, onShare }: ShareFormProps) {
  const { text, lifetime, passphrase, sealing } = draft;
  const isEmpty = useSignal(false);
  useEffect(() => void loadSecretLimits().catch(() => undefined), []);
  useUnsaved("text", text.value !== "");
  const submit = (event: Event) => {
    event.preventDefault();
    isEmpty.value = text.value === "";
    if (isEmpty.value || tooLong(text.value)) return document.getElementById("secret")?.focus();
    if (!isBusy && lifetimeSeconds(lifetime) !== undefined) onShare();
  };
  return (
    <form class="share" onSubmit={submit}>
      {!canEncrypt() && <NoEncryption />}
      <SecretText text={text} isMissing={isEmpty.value && text.value === ""} />
      <div class="fields">
        <LifetimeField lifetime={lifetime} />
        <Passphrase passphrase={passphrase} />
      </div>
      {canEncrypt() && <MoreOptions sealing={sealing} />}
      <div class="actions">
        <button class="primary" disabled={isBusy}>
          <Icon name="lock" />
          {isBusy ? words().share.busy : words().share.submit}
        </button>
      </div>
    </form>
  );
}

interface SecretTextProps {
  readonly text: Signal<string>;
  readonly isMissing: boolean;
}

function SecretText({ text, isMissing }: SecretTextProps) {
  const t = words().share;
  const hint = isMissing ? t.missing : tooLong(text.value);
  return (
    <div class="field">
      <label for="secret">{t.field}</label>
      <textarea
        id="secret"
        class="code"
        rows={7}
        value={text.value}
        placeholder={t.placeholder}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={hint ? true : undefined}
        aria-describedby={hint ? "secret-hint" : undefined}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <p class="hint" id="secret-hint" role="status">
        {hint}
      </p>
    </div>
  );
}

/** Characters as people count them (Unicode code points), however many bytes they take once they are encrypted. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function tooLong(text: string): string | undefined {
  // A text has at most as many characters as UTF-16 units.
  const { characters, isMember } = secretLimits.value;
  if (text.length <= characters) return undefined;
  const count = countCharacters(text);
  if (count <= characters) return undefined;
  const { tooLongForMember, tooLongForGuest } = words().share;
  const values = { count: formatNumber(count), limit: formatNumber(characters) };
  return fill(isMember ? tooLongForMember : tooLongForGuest, values);
}

function Passphrase({ passphrase }: { passphrase: Signal<string> }) {
  const t = words().share;
  return (
    <SecretField
      label={t.passphrase}
      value={passphrase}
      hint={t.passphraseHint}
      suggest={{ label: t.suggest, make: suggestPassphrase }}
    />
  );
}

function suggestPassphrase(): string {
  return generatePasswords({ mode: "words", words: 4 }).passwords[0] ?? "";
}

function MoreOptions({ sealing }: { sealing: Signal<EncryptionSide> }) {
  const t = words().share;
  return (
    <details>
      <summary>{t.more}</summary>
      <Choices label={t.side} value={sealing} choices={t.sides} hint={t.sideHints[sealing.value]} />
    </details>
  );
}

function NoEncryption() {
  return (
    <Note kind="warn" title={words().share.insecureTitle}>
      {words().share.insecure}
    </Note>
  );
}

function ToolTeaser() {
  return (
    <section class="teaser" aria-labelledby="teaser">
      <h2 id="teaser">{words().share.tools}</h2>
      <Cards pages={TOOLS} />
    </section>
  );
}
