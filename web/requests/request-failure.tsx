import type { Failure } from "../api/failure.ts";
import { PageHead } from "../app/shell.tsx";
import { words } from "../app/language/words.ts";
import { Retry } from "../parts/job.tsx";

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

/** What a link to a request shows that was cut. */
export function IncompleteRequest() {
  return <PageHead title={words().reveal.incompleteTitle}>{words().asking.incomplete}</PageHead>;
}
