import type { Failure } from "../api/failure.ts";
import { linkWords } from "../app/language/words.ts";
import { FailureNote } from "./job.tsx";

interface RetryProps {
  readonly failure: Failure;
  readonly onRetry: () => void;
}

/** A failure of loading, with a button to try again. */
export function Retry({ failure, onRetry }: RetryProps) {
  return (
    <>
      <FailureNote failure={failure} />
      <p>
        <button type="button" onClick={onRetry}>
          {linkWords().app.tryAgain}
        </button>
      </p>
    </>
  );
}
