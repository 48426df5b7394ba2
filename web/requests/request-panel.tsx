import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { toFailure, type Failure } from "../api/failure.ts";
import { formatRelativeTime, formatTime } from "../app/language/format.ts";
import { useNews } from "../app/news.ts";
import { fill, words } from "../app/language/words.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { FailureNote } from "../parts/job.tsx";
import { forgetTicket, hasTicket } from "../secrets/open/tickets.ts";
import { CollectedAnswer } from "./collected-answer.tsx";
import type { CollectLink } from "../../wire/links.ts";
import { REQUEST_KINDS } from "./request-kinds.ts";
import { postCancel, postCollect, fetchOwnRequest, type RequestInfo } from "./request.ts";

/** The state of one's own request, and its answer when there is one. */
export function RequestPanel({ link, request }: { link: CollectLink; request: Signal<RequestInfo> }) {
  const content = useSignal<string | undefined>(undefined);
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
      failure.value = toFailure(error);
      request.value = await fetchOwnRequest(link).catch(() => request.value);
    }
    isBusy.value = false;
  };
  const read = () =>
    attempt(async () => {
      content.value = await postCollect(link).catch((error: unknown) => {
        if (toFailure(error).code === "request_closed") forgetTicket(link.id);
        throw error;
      });
    });
  const cancel = () =>
    attempt(async () => {
      request.value = { ...request.value, status: "cancelled", ...(await postCancel(link)) };
    });
  if (content.value !== undefined) return <CollectedAnswer content={content.value} link={link} />;
  const { status, answered, collected } = request.value;
  // A request for several answers is open while some of them wait, and this tab may have one half-way.
  const waits = (status === "open" || status === "answered") && (answered > collected || hasTicket(link.id));
  const t = words().asking;
  return (
    <div class="panel">
      <StatusLine request={request.value}>
        {(status === "open" || status === "answered") && (
          <ConfirmButton action={t.cancel} confirm={t.cancelConfirm} onConfirm={() => void cancel()} />
        )}
      </StatusLine>
      {(waits || (status === "collected" && hasTicket(link.id))) && (
        <ReadAnswer isBusy={isBusy.value} onRead={() => void read()} />
      )}
      {failure.value && <FailureNote failure={failure.value} />}
    </div>
  );
}

function StatusLine({ request, children }: { request: RequestInfo; children: ComponentChildren }) {
  const { status, closed, expiry } = request;
  const t = words().asking;
  return (
    <div class="status">
      <p role="status">
        <span class={`tag ${REQUEST_KINDS[status]}`}>{t.status[status]}</span>{" "}
        <span class="hint">
          {closed ? formatTime(closed) : fill(t.ends, { time: formatRelativeTime(expiry) })}
        </span>
      </p>
      {children}
    </div>
  );
}

function ReadAnswer({ isBusy, onRead }: { isBusy: boolean; onRead: () => void }) {
  const t = words().asking;
  useEffect(() => {
    // What somebody has waited for is one key away; a field that they type in keeps the focus.
    if (document.activeElement === document.body) document.getElementById("read")?.focus();
  }, []);
  return (
    <>
      <p class="hint">{t.readHint}</p>
      <div class="actions">
        <button id="read" type="button" class="primary" aria-busy={isBusy} onClick={onRead}>
          <Icon name="open" />
          {t.read}
        </button>
      </div>
    </>
  );
}
