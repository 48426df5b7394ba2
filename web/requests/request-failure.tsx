import type { Failure } from "../api/failure.ts";
import { PageHead } from "../app/shell.tsx";
import { words } from "../app/words.ts";
import { FailureNote } from "../parts/job.tsx";

interface RequestFailureProps {
  /** Whether the link was seen to be cut, before anybody was asked. */
  readonly isIncomplete?: boolean;
  readonly failure?: Failure;
  readonly onRetry?: () => void;
}

/** Why a link to a request shows nothing. */
export function RequestFailure({ isIncomplete, failure, onRetry }: RequestFailureProps) {
  const { app, asking: t, pages, reveal } = words();
  if (isIncomplete || failure?.code === "damaged_file")
    return <PageHead title={reveal.incompleteTitle}>{t.incomplete}</PageHead>;
  if (failure?.code === "not_found") return <PageHead title={t.unknownTitle}>{t.unknown}</PageHead>;
  return (
    <>
      <PageHead title={pages.collect.title} />
      {failure && <FailureNote failure={failure} />}
      <p>
        <button type="button" onClick={onRetry}>
          {app.tryAgain}
        </button>
      </p>
    </>
  );
}
