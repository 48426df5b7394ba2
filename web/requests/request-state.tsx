import { fill, words } from "../app/language/words.ts";
import type { RequestInfo } from "./request.ts";
import type { Failure } from "../api/failure.ts";
import { PageHead } from "../app/shell.tsx";
import { Retry } from "../parts/job.tsx";

/** The color of each state of a request. */
export const REQUEST_KINDS = {
  open: "",
  answered: "good",
  collected: "",
  cancelled: "bad",
  expired: "warn",
} as const satisfies Record<RequestInfo["status"], string>;

/** Whether it takes more than one answer. */
export function isForSeveral({ answers }: Pick<RequestInfo, "answers">): boolean {
  return answers > 1;
}

/** How many answers are waiting to be read. */
export function countWaiting({ status, answered, collected }: RequestInfo): number {
  return status === "open" || status === "answered" ? answered - collected : 0;
}

/** How many answers it takes, has received, and has waiting. */
export function formatCounts(request: RequestInfo): string {
  const { answers, answered } = request;
  return fill(words().asking.several.counts, { answers, answered, waiting: countWaiting(request) });
}

/** The state in a word or two. */
export function statusOf(request: Pick<RequestInfo, "answers" | "status">): string {
  const { status, several } = words().asking;
  const own: Partial<Record<RequestInfo["status"], string>> = several.status;
  return (isForSeveral(request) ? own[request.status] : undefined) ?? status[request.status];
}

/** The state in a sentence for the asker. */
export function stateOf(request: RequestInfo): string {
  const { states, several } = words().asking;
  const { status, answered } = request;
  if (!isForSeveral(request)) return states[status];
  if (status === "open") return answered > 0 ? several.states.open : states.open;
  return status === "cancelled" ? states.cancelled : several.states[status];
}

/** Why a link to a request shows nothing. */
export function RequestFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const { asking: t, pages } = words();
  if (failure.code === "damaged_file") return <IncompleteRequest />;
  if (failure.code === "not_found") return <PageHead title={t.unknownTitle}>{t.unknown}</PageHead>;
  return (
    <>
      <PageHead title={pages.collect.title} />
      <Retry failure={failure} onRetry={onRetry} />
    </>
  );
}

/** Shown for an incomplete link to a request. */
export function IncompleteRequest() {
  return <PageHead title={words().reveal.incompleteTitle}>{words().asking.incomplete}</PageHead>;
}
