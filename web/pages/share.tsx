import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { NotifyField, LabelField, MembersOnly } from "../account/member-fields.tsx";
import { ShownFailure } from "../account/member-failure.tsx";
import { isForMembers, loadSecretLimits } from "../api/limits.ts";
import { instance } from "../app/instance.ts";
import { fill, words } from "../app/language/words.ts";
import { LifetimeChoice, lifetimeSeconds, OwnLifetime } from "../secrets/send/lifetime.tsx";
import { Choices } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { JobView, useJob } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { passphraseSuggestion, SuggestedField } from "../parts/suggestion.tsx";
import { TextArea } from "../parts/text-area.tsx";
import { hasKeyboard, canEncrypt } from "../app/browser.ts";
import { pathOf } from "../../wire/pages.ts";
import { hrefTo, hasNavigated } from "../app/paths/base.ts";
import { useKept } from "../app/paths/history.ts";
import { showProblem } from "../app/focus.ts";
import { PageHead } from "../app/shell.tsx";
import {
  clearDraft,
  readDraft,
  useShareDraft,
  type ShareDraft,
  areMoreThan,
  readPeople,
} from "../secrets/send/share-draft.ts";
import { findProblem, isEmpty, type Content } from "../secrets/send/content.ts";
import type { HandOverResult } from "../secrets/send/hand-over.tsx";
import { SecretContent } from "../secrets/send/secret-content.tsx";
import { MainButton } from "../parts/buttons.tsx";

type Sender = typeof import("../secrets/send/hand-over.tsx");

// Everything after the form; a page that is only looked at does not load it.
function loadSender(): Promise<Sender> {
  return import("../secrets/send/hand-over.tsx");
}

/** Turns a text, files or both into a link that opens once, or one for each of several people. */
export function Page() {
  const job = useJob<{ shared: HandOverResult; HandedOver: Sender["HandedOver"] }>();
  const draft = useShareDraft();
  const state = job.state.value;
  const share = () =>
    job.start(async (control) => {
      const { handOver, HandedOver } = await loadSender();
      const people = readPeople(draft.people.value);
      const sent = readDraft(draft);
      const shared = await handOver(sent, { people, control });
      clearDraft(draft, sent);
      return { shared, HandedOver };
    });
  useKept(!isEmpty({ text: draft.text.value, files: draft.files.value }) && state.is !== "done");
  if (state.is === "done") {
    const { shared, HandedOver } = state.result;
    return <HandedOver shared={shared} onAnother={job.clear} />;
  }
  const isLong = draft.files.value.length > 0 || draft.people.value !== "";
  // What was typed stays, even where the server reports late that the login has ended.
  const isTyped = !isEmpty({ text: draft.text.value, files: draft.files.value });
  return (
    <section class="page narrow">
      <PageHead title={words().pages.share.title} />
      {isForMembers("secrets") && !isTyped ? (
        <MembersOnly />
      ) : (
        <ShareForm draft={draft} isBusy={state.is === "running"} onShare={() => void share()}>
          {state.is === "running" && isLong && <JobView job={job} doing={words().share.sending} />}
          {state.is === "failed" && <ShownFailure failure={state.failure} title={words().share.failed} />}
        </ShareForm>
      )}
    </section>
  );
}

/**
 * Whether the text field gets the focus first. Not on a phone, whose keyboard would cover half of an unread page, and
 * not after a navigation, when the heading has the focus and says where one is.
 */
function beginsWithText(): boolean {
  return !hasNavigated.peek() && hasKeyboard();
}

function ShareForm({
  draft,
  isBusy,
  onShare,
  children,
}: {
  draft: ShareDraft;
  isBusy: boolean;
  onShare: () => void;
  /** What happens to it, after the button. */
  children: ComponentChildren;
}) {
  const { text, files, lifetime, passphrase, label, notify } = draft;
  const isMissing = useSignal(false);
  const hasPassphrase = useSignal(passphrase.value !== "");
  const isRequired = instance.value.passphrase === "required";
  const content: Content = { text: text.value, files: files.value };
  useEffect(() => void loadSecretLimits().catch(() => undefined), []);
  const hasContent = !isEmpty(content);
  useEffect(() => {
    // Without it the button says why nothing was sent.
    if (hasContent) loadSender().catch(() => undefined);
  }, [hasContent]);
  const submit = () => {
    isMissing.value = isEmpty(content);
    if (isMissing.value) return document.getElementById("secret")?.focus();
    const isLasting = lifetimeSeconds(lifetime) !== undefined;
    if (!isLasting || findProblem(content) || tooManyPeople(draft.people.value)) return showProblem();
    if (!isBusy) onShare();
  };
  return (
    <form class="share" onSubmit={submit}>
      {!canEncrypt() && (
        <Note kind="warn" title={words().share.insecureTitle}>
          {words().share.insecure}
        </Note>
      )}
      <SecretContent
        text={text}
        files={files}
        label={words().share.field}
        isMissing={isMissing.value}
        isFocused={beginsWithText()}
        isBusy={isBusy}
        action={
          <MainButton isRunning={isBusy} isSeal>
            <span class="word">{isBusy ? words().share.busy : words().share.submit}</span>
          </MainButton>
        }
        settings={
          <>
            <LifetimeChoice lifetime={lifetime} />
            {!isRequired && (
              <button
                type="button"
                class="quiet small"
                aria-expanded={hasPassphrase.value}
                aria-label={words().fields.passphrase}
                onClick={() => {
                  hasPassphrase.value = !hasPassphrase.value;
                  passphrase.value = "";
                }}
              >
                <Icon name="key" />
                <span class="word">{words().fields.passphrase}</span>
              </button>
            )}
          </>
        }
      >
        <OwnLifetime lifetime={lifetime} />
        {(isRequired || hasPassphrase.value) && <Passphrase passphrase={passphrase} />}
      </SecretContent>
      {children}
      {canEncrypt() && <Assurance />}
      {/* What few people need. */}
      <LabelField label={label} />
      <NotifyField notify={notify} />
      <div class="apart">
        <SeveralPeople people={draft.people} />
        {canEncrypt() && <Side sealing={draft.sealing} />}
      </div>
    </form>
  );
}

function Passphrase({ passphrase }: { passphrase: Signal<string> }) {
  const { share: t, reveal } = words();
  const isRequired = instance.value.passphrase === "required";
  return (
    <SuggestedField
      label={isRequired ? reveal.passphrase : t.passphrase}
      value={passphrase}
      isRequired={isRequired}
      hint={isRequired ? `${t.passphraseRequired} ${t.passphraseHint}` : t.passphraseHint}
      suggest={passphraseSuggestion()}
    />
  );
}

/** What happens to it in one line, with a link to more. */
function Assurance() {
  const { share, pages } = words();
  return (
    <p class="hint promise">
      {share.lead} <a href={hrefTo(pathOf("how-it-works"))}>{pages["how-it-works"].title}</a>
    </p>
  );
}

/** Who encrypts it. */
function Side({ sealing }: { sealing: ShareDraft["sealing"] }) {
  const t = words().share;
  return (
    <details>
      <summary>{fill(words().frame.labeled, { label: t.side, value: t.sides[sealing.value] })}</summary>
      <Choices
        label={t.side}
        isLabelUnseen
        value={sealing}
        choices={t.sides}
        hint={t.sideHints[sealing.value]}
      />
    </details>
  );
}

const MOST_PEOPLE = 100;

function tooManyPeople(lines: string): string | undefined {
  return areMoreThan(MOST_PEOPLE, lines)
    ? fill(words().share.tooManyPeople, { limit: MOST_PEOPLE })
    : undefined;
}

/** The names of several people, each of whom gets a link. */
function SeveralPeople({ people }: { people: Signal<string> }) {
  const t = words().share;
  return (
    <details open={people.value !== ""}>
      <summary>{t.people}</summary>
      <TextArea
        label={t.people}
        hint={t.peopleHint}
        problem={tooManyPeople(people.value)}
        value={people}
        placeholder={t.peoplePlaceholder}
      />
    </details>
  );
}
