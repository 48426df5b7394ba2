import "../../style/results.css";
import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { FailureNote, ProgressBar, useJob } from "../../parts/job.tsx";
import { useSender } from "../../api/loader.ts";
import { server } from "../../api/server.ts";
import { formatMoment, formatTime } from "../../app/language/format.ts";
import { fill, formatCount, words } from "../../app/language/words.ts";
import { usePolling } from "../../app/news.ts";
import { PageHead } from "../../app/shell.tsx";
import { confirmLeave, useUnsaved } from "../../app/unsaved.tsx";
import { saveFile } from "../../files/object-url.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { isWhole } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Note } from "../../parts/note.tsx";
import { NoticeChoice, showNotice, wantsNotices } from "../notice.tsx";
import { STATUS_KINDS, type SecretState } from "../secret-status.tsx";
import {
  copiesToCsv,
  isTooFast,
  listCopies,
  waitForRate,
  shareCopies,
  type Copies,
  type Copy,
} from "./copies.ts";
import { FileLines, PassphrasePanel } from "./shared-secret.tsx";

const ACTIVE: SecretState = { status: "active", closed: null };

type States = Signal<Readonly<Record<string, SecretState>>>;

/** The links for several people, and the state of each. */
export function SharedCopies({ first, onAnother }: { first: Copies; onAnother: () => void }) {
  const copies = useSignal(first);
  /** Those whose links are kept elsewhere, by their ids. */
  const kept = useSignal<ReadonlySet<string>>(new Set());
  const states: States = useSignal({});
  const { made, left, input } = copies.value;
  const active = made.filter(({ id }) => stateOf(states, id).status === "active");
  const isActive = active.length > 0;
  useUnsaved(
    "link",
    active.some(({ id }) => !kept.value.has(id)),
  );
  useStates(copies, states);
  const keep = (some: readonly Copy[]) =>
    (kept.value = new Set([...kept.value, ...some.map(({ id }) => id)]));
  const t = words().shared;
  const shareAnother = async () => {
    if (await confirmLeave()) onAnother();
  };
  return (
    <section class="page">
      <PageHead title={t.copiesTitle} isResult>
        {t.copiesLead}
      </PageHead>
      <div class="panel">
        {input.files.length > 0 && <FileLines files={input.files} />}
        <ol class="copies">
          {made.map((copy) => (
            <CopyRow key={copy.id} copy={copy} states={states} onCopied={() => keep([copy])} />
          ))}
        </ol>
        <div class="actions">
          <CopyButton
            kind="primary"
            text={() => listCopies(made)}
            label={t.copyList}
            onCopied={() => keep(made)}
          />
          <button type="button" onClick={() => keep(made) && saveFile(csvOf(made))}>
            <Icon name="download" />
            {t.saveCsv}
          </button>
        </div>
        <p class="hint">{t.namesHint}</p>
        {isActive && <NoticeChoice />}
      </div>
      {left.length > 0 && <Missing copies={copies} />}
      {input.passphrase && isActive && <PassphrasePanel passphrase={input.passphrase} />}
      <div class="actions">
        <button type="button" onClick={() => void shareAnother()}>
          <Icon name="share" />
          {t.another}
        </button>
      </div>
    </section>
  );
}

function stateOf(states: States, id: string): SecretState {
  return states.value[id] ?? ACTIVE;
}

/** How many are asked about at a time: a hundred at once would use up the limit of one address. */
const ASKED_AT_ONCE = 10;

function useStates(copies: Signal<Copies>, states: States): void {
  const turn = useRef(0);
  usePolling(async () => {
    const active = copies.peek().made.filter(({ id }) => stateOf(states, id).status === "active");
    // All take turns, even where some cannot be asked about.
    const first = turn.current % Math.max(1, active.length);
    const asked = [...active.slice(first), ...active.slice(0, first)].slice(0, ASKED_AT_ONCE);
    turn.current = first + asked.length;
    for (const { id, revokeToken, person } of asked) {
      const next = await server.secrets.status.mutate({ id, revokeToken });
      if (next.status === "active") continue;
      states.value = { ...states.value, [id]: next };
      await showNotice(id, `${person}: ${words().shared.notice[next.status]}`);
    }
    const { made, left } = copies.peek();
    return left.length > 0 || made.some(({ id }) => stateOf(states, id).status === "active");
  }, wantsNotices);
}

function csvOf(made: readonly Copy[]): File {
  // Spreadsheets recognize UTF-8 only by its byte order mark.
  return new File(["\ufeff", copiesToCsv(made)], "links.csv", { type: "text/csv;charset=utf-8" });
}

function CopyRow({ copy, states, onCopied }: { copy: Copy; states: States; onCopied: () => void }) {
  const { id, person, url, expiry, revokeToken } = copy;
  const { status, closed } = stateOf(states, id);
  const t = words().shared;
  const { failure, send } = useSender();
  const revoke = () =>
    send(async () => {
      // The answer says whether it was deleted or had been opened before.
      const next = await server.secrets.revoke
        .mutate({ id, revokeToken })
        .catch(() => server.secrets.status.mutate({ id, revokeToken }));
      states.value = { ...states.value, [id]: next };
    });
  const isActive = status === "active";
  return (
    <li>
      <p class="copy-head" role="status">
        <strong>{person}</strong> <span class={`tag ${STATUS_KINDS[status]}`}>{words().status[status]}</span>{" "}
        <span class="hint">{closed ? formatTime(closed) : undefined}</span>
      </p>
      {isActive && (
        <div class="link">
          <input
            class="code"
            readOnly
            autocomplete="off"
            value={url}
            aria-label={fill(t.linkFor, { name: person })}
            onFocus={(event) => event.currentTarget.select()}
            onCopy={(event) => isWhole(event) && onCopied()}
          />
          <CopyButton
            kind="small"
            text={() => `${fill(t.message, { time: formatMoment(expiry) })}\n${url}`}
            label={t.copyMessage}
            onCopied={onCopied}
          />
          <ConfirmButton
            action={t.delete}
            label={fill(t.deleteFor, { name: person })}
            confirm={t.deleteConfirm}
            onConfirm={() => void revoke()}
          />
        </div>
      )}
      {failure.value && <FailureNote failure={failure.value} />}
    </li>
  );
}

/** The people for whom no link could be made, with a button to try again. */
function Missing({ copies }: { copies: Signal<Copies> }) {
  const job = useJob<void>();
  const { left, failure } = copies.value;
  const t = words().shared;
  const goOn = ({ isAtOnce }: { isAtOnce: boolean }) =>
    job.start(async (control) => {
      if (isAtOnce) copies.value = await shareCopies(copies.value, control);
      while (isTooFast(copies.value.failure)) {
        await waitForRate(copies.value.failure, control.signal);
        copies.value = await shareCopies(copies.value, control);
      }
    });
  useEffect(() => {
    if (isTooFast(failure)) void goOn({ isAtOnce: false });
  }, []);
  const state = job.state.value;
  const isRunning = state.is === "running";
  const isWaiting = isRunning && isTooFast(failure);
  return (
    <>
      <Note kind="warn" title={isWaiting ? t.copiesWait : formatCount(left.length, t.copiesLeft)}>
        {left.join(", ")}
      </Note>
      {failure && !isWaiting && <FailureNote failure={failure} />}
      {state.is === "failed" && <FailureNote failure={state.failure} />}
      {/* Of what takes turns in here, each leaves the focus to the next. */}
      <div class="actions">
        {isRunning ? (
          <ProgressBar job={job} doing={t.makingLeft} />
        ) : (
          <button type="button" class="primary" onClick={() => void goOn({ isAtOnce: true })}>
            {t.makeLeft}
          </button>
        )}
      </div>
    </>
  );
}
