import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { findFailure, type Failure } from "../api/failure.ts";
import { formatRelativeTime, formatTime } from "../app/language/format.ts";
import { useNews } from "../app/news.ts";
import { fill, words } from "../app/language/words.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { FailureNote } from "../parts/job.tsx";
import { hasUnshown, takeAnswer, type TakenAnswer } from "./collect-answers.ts";
import { CollectedAnswer } from "./collected-answer.tsx";
import type { CollectLink } from "../../wire/links/links.ts";
import { countWaiting, formatCounts, isForSeveral, REQUEST_KINDS, statusOf } from "./request-state.tsx";
import { postCancel, postClose, fetchOwnRequest, type RequestInfo } from "./request.ts";

/** The state of one's own request, and its answers when there are any. */
export function RequestPanel({ link, request }: { link: CollectLink; request: Signal<RequestInfo> }) {
  const taken = useSignal<readonly TakenAnswer[]>([]);
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const isLive = () => request.peek().status === "open";
  useNews<RequestInfo>({
    path: `/api/requests/${link.id}/events`,
    proof: link.collectToken,
    ask: () => fetchOwnRequest(link),
    isLive,
    receive: (next) => {
      if (isLive()) request.value = next;
    },
  });
  const attempt = async (work: () => Promise<unknown>) => {
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    try {
      await work();
    } catch (error) {
      failure.value = await findFailure(error);
      request.value = await fetchOwnRequest(link).catch(() => request.value);
    }
    isBusy.value = false;
  };
  const readNext = async () => {
    const next = await takeAnswer(link, taken.value);
    taken.value = [...taken.value, next];
    return next.left;
  };
  const isOfSeveral = isForSeveral(request.value);
  const read = (isAll: boolean) =>
    attempt(async () => {
      let left = await readNext();
      while (isAll && left > 0) left = await readNext();
      if (isOfSeveral) request.value = await fetchOwnRequest(link);
    });
  const cancel = () =>
    attempt(async () => {
      request.value = { ...request.value, status: "cancelled", ...(await postCancel(link)) };
    });
  const close = () =>
    attempt(async () => {
      request.value = await postClose(link);
    });
  const [only] = taken.value;
  // What the page says depends on what this tab still keeps.
  const tellAnew = () => (request.value = { ...request.value });
  if (only && !isOfSeveral)
    return <CollectedAnswer taken={only} link={link} number={undefined} onReceived={tellAnew} />;
  const { status, answered } = request.value;
  const isLiving = status === "open" || status === "answered";
  const waiting = countWaiting(request.value);
  // This tab may have taken one without showing it yet.
  const waits = waiting > 0 || ((isLiving || status === "collected") && hasUnshown(link.id, taken.value));
  const { cancel: cancelWord, cancelConfirm, several: t } = words().asking;
  return (
    <>
      <div class="panel">
        <StatusLine request={request.value}>
          {isOfSeveral && status === "open" && answered > 0 && (
            <ConfirmButton action={t.close} confirm={t.closeConfirm} onConfirm={() => void close()} />
          )}
          {isLiving && (
            <ConfirmButton action={cancelWord} confirm={cancelConfirm} onConfirm={() => void cancel()} />
          )}
        </StatusLine>
        {waits && (
          <ReadAnswer
            isBusy={isBusy.value}
            isOfSeveral={isOfSeveral}
            waiting={waiting}
            onRead={(isAll) => void read(isAll)}
          />
        )}
        {failure.value && <FailureNote failure={failure.value} />}
      </div>
      {taken.value.map((each, at) => (
        <div class="panel" key={each.ticket}>
          <CollectedAnswer taken={each} link={link} number={at + 1} onReceived={tellAnew} />
        </div>
      ))}
    </>
  );
}

function StatusLine({ request, children }: { request: RequestInfo; children: ComponentChildren }) {
  const { status, closed, expiry } = request;
  const t = words().asking;
  const facts = [
    ...(isForSeveral(request) ? [formatCounts(request)] : []),
    closed ? formatTime(closed) : fill(t.ends, { time: formatRelativeTime(expiry) }),
  ];
  return (
    <div class="status">
      <p role="status">
        <span class={`tag ${REQUEST_KINDS[status]}`}>{statusOf(request)}</span>{" "}
        <span class="hint">{facts.join(" ")}</span>
      </p>
      {children}
    </div>
  );
}

function ReadAnswer({
  isBusy,
  isOfSeveral,
  waiting,
  onRead,
}: {
  isBusy: boolean;
  isOfSeveral: boolean;
  waiting: number;
  onRead: (isAll: boolean) => void;
}) {
  const { read, readHint, several } = words().asking;
  useEffect(() => {
    // Focuses the button for the awaited answer, unless the person is typing in a field.
    if (document.activeElement === document.body) document.getElementById("read")?.focus();
  }, []);
  return (
    <>
      <p class="hint">{isOfSeveral ? several.readHint : readHint}</p>
      <div class="actions">
        <button id="read" type="button" class="primary" aria-busy={isBusy} onClick={() => onRead(false)}>
          <Icon name="open" />
          {isOfSeveral ? several.readNext : read}
        </button>
        {waiting > 1 && (
          <button type="button" aria-busy={isBusy} onClick={() => onRead(true)}>
            {several.readAll}
          </button>
        )}
      </div>
    </>
  );
}
