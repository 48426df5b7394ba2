import { useEffect } from "preact/hooks";
import { MAX_ANSWERS } from "../../wire/limits.ts";
import { NotifyField, LabelField, MembersOnly } from "../account/member-fields.tsx";
import { MemberFailure } from "../account/member-failure.tsx";
import { isForMembers, loadSecretLimits } from "../api/limits.ts";
import { showProblem } from "../app/focus.ts";
import { useDraft, useKept } from "../app/paths/history.ts";
import { formatNumber } from "../app/language/format.ts";
import { PageHead } from "../app/shell.tsx";
import { fill, words } from "../app/language/words.ts";
import { NumberField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { useJob } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { MainButton } from "../parts/buttons.tsx";
import { TextArea } from "../parts/text-area.tsx";
import { AskedRequest } from "../requests/asked-request.tsx";
import { ask, type OpenRequest } from "../requests/request.ts";
import { canEncrypt } from "../app/browser.ts";
import { LifetimeField, lifetimeSeconds, useLifetime } from "../secrets/send/lifetime.tsx";

/** What fits into an encrypted note of 1,200 characters (docs/formats.md, 5), in bytes of UTF-8. */
const MAX_NOTE_BYTES = 869;

/** Asks for a secret: the link takes a number of answers, and only this browser's other link opens them. */
export function Page() {
  const job = useJob<OpenRequest>();
  const note = useDraft("note", "");
  const label = useDraft("label", "");
  const answers = useDraft("answers", "1");
  const notify = useDraft("notify", true);
  const lifetime = useLifetime();
  const state = job.state.value;
  const t = words().asking;
  useEffect(() => void loadSecretLimits().catch(() => undefined), []);
  useKept(note.value !== "" && state.is !== "done");
  const submit = () => {
    const expires = lifetimeSeconds(lifetime);
    const count = readCount(answers.value);
    if (expires === undefined || count === undefined || tooLong(note.value)) return showProblem();
    if (state.is === "running") return;
    const asked = { note: note.value.trim(), label: label.value, expires, answers: count };
    void job.start(() => ask({ ...asked, notify: notify.value }));
  };
  if (state.is === "done") return <AskedRequest asked={state.result} onAnother={() => startAgain()} />;
  // What was typed stays, even where the server reports late that the login has ended.
  const isTyped = note.value !== "" || label.value !== "" || state.is === "failed";
  return (
    <section class="page">
      <PageHead title={words().pages.ask.title}>{canEncrypt() ? t.lead : undefined}</PageHead>
      {isForMembers("secrets") && !isTyped ? (
        <MembersOnly />
      ) : canEncrypt() ? (
        <form class="stack" onSubmit={submit}>
          <TextArea
            label={t.note}
            hint={t.noteHint}
            problem={tooLong(note.value)}
            value={note}
            placeholder={t.notePlaceholder}
          />
          <div class="fields">
            <LifetimeField lifetime={lifetime} label={t.lifetime} />
            <NumberField label={t.answers} value={answers} minimum={1} maximum={MAX_ANSWERS} />
            <LabelField label={label} />
          </div>
          <NotifyField notify={notify} />
          {state.is === "failed" && <MemberFailure failure={state.failure} title={t.failed} />}
          <div class="bar">
            <MainButton isRunning={state.is === "running"}>
              <Icon name="ask" />
              {t.submit}
            </MainButton>
          </div>
        </form>
      ) : (
        <Note kind="warn">{words().common.insecure}</Note>
      )}
    </section>
  );

  function startAgain() {
    note.value = label.value = "";
    answers.value = "1";
    job.clear();
  }
}

/** The number of answers; undefined for a value that the field itself rejects. */
function readCount(text: string): number | undefined {
  const count = Number(text || "1");
  return Number.isInteger(count) && count >= 1 && count <= MAX_ANSWERS ? count : undefined;
}

function tooLong(note: string): string | undefined {
  const text = note.trim();
  // Each character has at least one byte, so texts that cannot fit are not encoded at each key.
  if (text.length <= MAX_NOTE_BYTES && new TextEncoder().encode(text).length <= MAX_NOTE_BYTES)
    return undefined;
  return fill(words().asking.noteTooLong, { limit: formatNumber(MAX_NOTE_BYTES) });
}
