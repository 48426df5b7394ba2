import { useSignal, type Signal } from "@preact/signals";
import { generatePasswords } from "../../tools/password.ts";
import { Field, SecretField, Choices } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { FailureNote, useJob } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { PageHead } from "../app/shell.tsx";
import { TOOLS } from "../app/pages.ts";
import {
  canEncrypt,
  sealedLength,
  shareSecret,
  type EncryptionSide,
  type CreatedSecret,
} from "../secrets/share.ts";
import { SharedSecret } from "../secrets/shared-secret.tsx";
import { Cards } from "../parts/cards.tsx";

const LIFETIMES = [
  [300, "5 minutes"],
  [3600, "1 hour"],
  [86_400, "1 day"],
  [604_800, "7 days"],
  [2_592_000, "30 days"],
] as const;

const ANONYMOUS_CHARACTERS = 50_000;

/** Turns a text into a link that opens once. */
export function Page() {
  const job = useJob<CreatedSecret>();
  const state = job.state.value;
  if (state.is === "done") return <SharedSecret shared={state.result} onAnother={job.clear} />;
  return (
    <section class="page">
      <PageHead title="Share a secret">
        Your text is encrypted in this browser. The link opens it once, then it is gone.
      </PageHead>
      <ShareForm
        isBusy={state.is === "running"}
        onShare={(draft) => void job.start(() => shareSecret(draft))}
      />
      {state.is === "failed" && <FailureNote failure={state.failure} title="Nothing was shared" />}
      <ToolTeaser />
    </section>
  );
}

interface Draft {
  readonly text: string;
  readonly expires: number;
  readonly passphrase: string;
  readonly sealing: EncryptionSide;
}

function ShareForm({ isBusy, onShare }: { isBusy: boolean; onShare: (draft: Draft) => void }) {
  const text = useSignal("");
  const expires = useSignal(86_400);
  const passphrase = useSignal("");
  const sealing = useSignal<EncryptionSide>(canEncrypt() ? "here" : "server");
  const isEmpty = useSignal(false);
  const submit = (event: Event) => {
    event.preventDefault();
    isEmpty.value = text.value === "";
    if (isEmpty.value) return document.getElementById("secret")?.focus();
    if (isBusy) return;
    onShare({
      text: text.value,
      expires: expires.value,
      passphrase: passphrase.value,
      sealing: sealing.value,
    });
  };
  return (
    <form class="share" onSubmit={submit}>
      {!canEncrypt() && <NoEncryption />}
      <SecretText text={text} sealing={sealing.value} isMissing={isEmpty.value && text.value === ""} />
      <div class="fields">
        <Lifetime expires={expires} />
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
  readonly sealing: EncryptionSide;
  readonly isMissing: boolean;
}

function SecretText({ text, sealing, isMissing }: SecretTextProps) {
  const hint = isMissing ? "Write or paste something first." : tooLong(text.value, sealing);
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
        aria-invalid={isMissing ? true : undefined}
        aria-describedby={hint ? "secret-hint" : undefined}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <p class="hint" id="secret-hint" role="status">
        {hint}
      </p>
    </div>
  );
}

// Only a hint: members may store more, so the server decides.
function tooLong(text: string, sealing: EncryptionSide): string | undefined {
  const length = sealing === "here" ? sealedLength(text) : text.length;
  if (length <= ANONYMOUS_CHARACTERS) return undefined;
  const encrypted = sealing === "here" ? ", once encrypted" : "";
  return `This is ${length.toLocaleString("en")} characters${encrypted}; without an account 50,000 fit in a secret.`;
}

function Lifetime({ expires }: { expires: Signal<number> }) {
  return (
    <Field label="Unless it is opened, delete it after">
      {(ids) => (
        <select
          {...ids}
          value={String(expires.value)}
          onChange={(event) => (expires.value = Number(event.currentTarget.value))}
        >
          {LIFETIMES.map(([seconds, name]) => (
            <option key={seconds} value={String(seconds)}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Passphrase({ passphrase }: { passphrase: Signal<string> }) {
  const suggest = () => {
    passphrase.value = generatePasswords({ mode: "words", words: 4 }).passwords[0] ?? "";
  };
  return (
    <SecretField
      label="Passphrase (optional)"
      value={passphrase}
      hint="Tell it to them some other way than the link. Ten wrong tries delete the secret."
      extra={
        <button
          type="button"
          class="icon-only"
          aria-label="Suggest a passphrase"
          title="Suggest"
          onClick={suggest}
        >
          <Icon name="dice" />
        </button>
      }
    />
  );
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
