import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { LabelField } from "../account/label-field.tsx";
import { MembersOnly } from "../account/members-only.tsx";
import { isForMembers, loadSecretLimits } from "../api/limits.ts";
import { words } from "../app/language/words.ts";
import { LifetimeField, lifetimeSeconds } from "../secrets/send/lifetime.tsx";
import { generatePasswords } from "../../tools/password.ts";
import { SecretField, Choices } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { FailureNote, JobView, useJob } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { useUnsaved } from "../app/unsaved.tsx";
import { PageHead } from "../app/shell.tsx";
import { TOOLS } from "../app/paths/pages.ts";
import { canEncrypt } from "../app/can-encrypt.ts";
import { shareSecret, type EncryptionSide, type CreatedSecret } from "../secrets/send/share.ts";
import { clearDraft, readDraft, useShareDraft, type ShareDraft } from "../secrets/send/share-draft.ts";
import { findProblem, SecretContent } from "../secrets/send/secret-content.tsx";
import { SharedSecret } from "../secrets/send/shared-secret.tsx";
import { Cards } from "../parts/cards.tsx";
import { MainButton } from "../parts/main-button.tsx";

/** Turns a text or a file into a link that opens once. */
export function Page() {
  const job = useJob<CreatedSecret>();
  const draft = useShareDraft();
  const state = job.state.value;
  const share = () =>
    job.start(async (control) => {
      const created = await shareSecret(readDraft(draft), control);
      clearDraft(draft);
      return created;
    });
  if (state.is === "done") return <SharedSecret shared={state.result} onAnother={job.clear} />;
  return (
    <section class="page">
      <PageHead title={words().pages.share.title}>{words().share.lead}</PageHead>
      {isForMembers("secrets") ? (
        <MembersOnly />
      ) : (
        <ShareForm draft={draft} isBusy={state.is === "running"} onShare={() => void share()} />
      )}
      {state.is === "running" && draft.file.value && <JobView job={job} doing={words().share.sending} />}
      {state.is === "failed" && <FailureNote failure={state.failure} title={words().share.failed} />}
      <ToolTeaser />
    </section>
  );
}

function ShareForm({ draft, isBusy, onShare }: { draft: ShareDraft; isBusy: boolean; onShare: () => void }) {
  const { text, file, lifetime, passphrase, label, sealing } = draft;
  const isEmpty = useSignal(false);
  useEffect(() => void loadSecretLimits().catch(() => undefined), []);
  useUnsaved("text", text.value !== "" || file.value !== undefined);
  const submit = (event: Event) => {
    event.preventDefault();
    isEmpty.value = text.value === "" && !file.value;
    if (isEmpty.value || findProblem(text.value, file.value))
      return document.getElementById("secret")?.focus();
    if (!isBusy && lifetimeSeconds(lifetime) !== undefined) onShare();
  };
  return (
    <form class="share" onSubmit={submit}>
      {!canEncrypt() && <NoEncryption />}
      <SecretContent text={text} file={file} label={words().share.field} isMissing={isEmpty.value} />
      <div class="fields">
        <LifetimeField lifetime={lifetime} />
        <Passphrase passphrase={passphrase} />
      </div>
      <LabelField label={label} />
      {canEncrypt() && <MoreOptions sealing={sealing} />}
      <div class="actions">
        <MainButton isRunning={isBusy}>
          <Icon name="lock" />
          {isBusy ? words().share.busy : words().share.submit}
        </MainButton>
      </div>
    </form>
  );
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
