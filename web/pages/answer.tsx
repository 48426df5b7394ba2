import { useSignal, type Signal } from "@preact/signals";
import { useLoader } from "../api/loader.ts";
import { formatRelativeTime } from "../app/language/format.ts";
import { PageHead } from "../app/shell.tsx";
import { fill, words } from "../app/language/words.ts";
import { Ending } from "../parts/ending.tsx";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";
import { ContentView } from "../secrets/open/content-view.tsx";
import { AnswerForm } from "../requests/answer-form.tsx";
import { IncompleteRequest, RequestFailure, isForSeveral } from "../requests/request-state.tsx";
import { parseRequestLink, type AnswerLink } from "../../wire/links/links.ts";
import { fetchRequest, type ReceivedRequest } from "../requests/request.ts";
import { canEncrypt } from "../app/browser.ts";

/** The page behind a link that asks for a secret. */
export function Page() {
  const read = parseRequestLink(location.href);
  return (
    <section class="page">
      {read.is !== "answer" ? (
        <IncompleteRequest />
      ) : canEncrypt() ? (
        <RequestAt link={read.link} />
      ) : (
        <>
          <PageHead title={words().pages.answer.title} />
          <Note kind="warn">{words().common.insecure}</Note>
        </>
      )}
    </section>
  );
}

function RequestAt({ link }: { link: AnswerLink }) {
  const { state, reload } = useLoader(() => fetchRequest(link));
  const isSent = useSignal(false);
  const typed = useSignal("");
  // What somebody has typed is not lost because another answer was faster.
  const onGone = (text: string) => {
    typed.value = text;
    void reload();
  };
  const now = state.value;
  const { asking: t, pages, reveal } = words();
  if (now.is === "loading") return <PageHead title={pages.answer.title}>{reveal.loading}</PageHead>;
  if (now.is === "failed") return <RequestFailure failure={now.failure} onRetry={() => void reload()} />;
  if (isSent.value) return <Ending kind="done" title={t.sentTitle} closed={undefined} advice={t.sentLead} />;
  if (now.value.status !== "open") return <Ended request={now.value} typed={typed.value} />;
  return <Open link={link} request={now.value} isSent={isSent} onGone={onGone} />;
}

const END_KINDS = { answered: "gone", collected: "gone", cancelled: "gone", expired: "late" } as const;

function Ended({ request, typed }: { request: ReceivedRequest; typed: string }) {
  const { status, closed } = request;
  const t = words().asking;
  if (status === "open") return null;
  const isFull = status === "answered" || status === "collected";
  const { title, advice } =
    isFull && isForSeveral(request) ? t.several.ending : t.endings[isFull ? "answered" : status];
  return (
    <>
      <Ending kind={END_KINDS[status]} title={title} closed={closed} advice={advice} />
      {typed !== "" && (
        <section class="stack" aria-labelledby="typed">
          <h2 id="typed">{t.typed}</h2>
          <ContentView text={typed} label={t.typed} />
        </section>
      )}
    </>
  );
}

function Open({
  link,
  request,
  isSent,
  onGone,
}: {
  link: AnswerLink;
  request: ReceivedRequest;
  isSent: Signal<boolean>;
  onGone: (typed: string) => void;
}) {
  const t = words().asking;
  const { answers, answered } = request;
  return (
    <>
      <PageHead title={words().pages.answer.title}>
        {isForSeveral(request) ? t.several.answerLead : t.answerLead}
      </PageHead>
      {request.note && (
        <section class="panel" aria-labelledby="note">
          <h2 id="note">{t.theyNeed}</h2>
          <p class="note-text">{request.note}</p>
        </section>
      )}
      <ul class="assurances">
        <li>
          <Icon name="shield" />
          {words().reveal.endToEnd}
        </li>
        <li>
          <Icon name="clock" />
          {fill(t.ends, { time: formatRelativeTime(request.expiry) })}
        </li>
        {isForSeveral(request) && (
          <li>
            <Icon name="ask" />
            {fill(t.several.room, { left: answers - answered, answers })}
          </li>
        )}
      </ul>
      <AnswerForm link={link} request={request} onSent={() => (isSent.value = true)} onGone={onGone} />
    </>
  );
}
