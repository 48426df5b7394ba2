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
      <PageHead title="Share a secret">
        Your text is encrypted in this browser. The link opens it once, then it is gone.
      </PageHead>
      <ShareForm draft={draft} isBusy={state.is === "running"} onShare={() => void share()} />
      {state.is === "failed" && <FailureNote failure={state.failure} title="Nothing was shared" />}
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
          {isBusy ? "Encrypting…" : "Create the link"}
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
  const hint = isMissing ? "Write or paste something first." : tooLong(text.value);
  return (
    <div class="field">
      <label for="secret">Your secret</label>
      <textarea
        id="secret"
        class="code"
        rows={7}
        value={text.value}
        placeholder="A password, a note, a key…"
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
  return (
    <SecretField
      label="Passphrase (optional)"
      value={passphrase}
      hint="Tell it to them some other way than the link. Ten wrong tries delete the secret."
      suggest={{ label: "Suggest a passphrase", make: suggestPassphrase }}
    />
  );
}

function suggestPassphrase(): string {
  return generatePasswords({ mode: "words", words: 4 }).passwords[0] ?? "";
}

function MoreOptions({ sealing }: { sealing: Signal<EncryptionSide> }) {
  const hints = {
    here: "Encrypted before it leaves this browser. The server never holds what opens it.",
    server:
      "Sent over the connection and sealed by the server, which forgets the key. Opens with curl, and in a browser without JavaScript.",
  } as const;
  return (
    <details>
      <summary>More options</summary>
      <Choices
        label="Who encrypts it"
        value={sealing}
        choices={{ here: "This browser", server: "The server" }}
        hint={hints[sealing.value]}
      />
    </details>
  );
}

function NoEncryption() {
  return (
    <Note kind="warn" title="This browser cannot encrypt here">
      This page came over plain http, where browsers switch encryption off. Your text would travel readable
      and be sealed by the server. Open this page over https, or on localhost, to encrypt it before it leaves.
    </Note>
  );
}

function ToolTeaser() {
  return (
    <section class="teaser" aria-labelledby="teaser">
      <h2 id="teaser">Or do something to a file, without it leaving this browser</h2>
      <Cards pages={TOOLS} />
    </section>
  );
}
