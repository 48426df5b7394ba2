import type { Failure } from "../api/failure.ts";
import { linkWords } from "../app/language/words.ts";
import { FailureNote } from "./job.tsx";

/** A failure of loading, with a button to try again. */
export function Retry({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <>
      {/* The same sentence is said again where the next try fails too. */}
      <FailureNote key={failure} failure={failure} />
      <p>
        <button type="button" onClick={onRetry}>
          {linkWords().app.tryAgain}
        </button>
      </p>
    </>
  );
}
