import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { findFailure, type Failure } from "../api/failure.ts";
import type { Control } from "../work/run.ts";
import { formatFailure } from "../api/format-failure.ts";
import { formatPercent } from "../app/language/format.ts";
import { fill, linkWords } from "../app/language/words.ts";
import { Note, Status } from "./note.tsx";

/** The state of a job: one piece of work at a time. */
type JobState<Result> =
  | { readonly is: "idle" }
  | { readonly is: "running"; readonly part: number | undefined; readonly done?: string | undefined }
  | { readonly is: "done"; readonly result: Result }
  | { readonly is: "failed"; readonly failure: Failure };

export type Job<Result> = ReturnType<typeof useJob<Result>>;

/** Runs work with progress that can be cancelled and restarted. Unmounting cancels it. */
export function useJob<Result>() {
  const state = useSignal<JobState<Result>>({ is: "idle" });
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(work: (control: Control) => Promise<Result>) {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    state.value = { is: "running", part: undefined };
    const onProgress = (part?: number, done?: string) => {
      if (!signal.aborted) state.value = { is: "running", part, done };
    };
    try {
      const result = await work({ signal, onProgress });
      if (!signal.aborted) state.value = { is: "done", result };
    } catch (error) {
      const failure = await findFailure(error);
      if (!signal.aborted) state.value = { is: "failed", failure };
    }
  }
  /** Also drops the result or failure. */
  function clear() {
    running.current?.abort();
    if (state.peek().is !== "idle") state.value = { is: "idle" };
  }
  /** The input has changed: running work ends, and a result stays, as that of the earlier input. */
  function outdate() {
    if (state.peek().is !== "done") clear();
  }
  return { state, clear, outdate, start };
}

/**
 * What is made of some inputs, and again when one of them changes. The last value stays until there is another, also
 * where making one fails or gives none.
 */
export function useLatest<Value>(
  make: (signal: AbortSignal) => Promise<Value | undefined>,
  inputs: readonly unknown[],
): Value | undefined {
  const latest = useSignal<Value | undefined>(undefined);
  useEffect(() => {
    const ending = new AbortController();
    const show = (made: Value | undefined) => {
      if (made !== undefined && !ending.signal.aborted) latest.value = made;
    };
    void make(ending.signal).then(show, () => undefined);
    return () => ending.abort();
  }, inputs);
  return latest.value;
}

interface JobViewProps<Result> {
  readonly job: Job<Result>;
  /** The text of the progress, such as "Turning pages". */
  readonly doing: string;
}

/** The progress with a button to cancel, or the failure. */
export function JobView<Result>({ job, doing }: JobViewProps<Result>) {
  const state = job.state.value;
  if (state.is === "failed") return <FailureNote failure={state.failure} />;
  if (state.is !== "running") return null;
  return (
    <div class="panel">
      <ProgressBar job={job} doing={doing} />
    </div>
  );
}

/** The progress of a job, with a button to cancel it. */
export function ProgressBar<Result>({ job, doing }: JobViewProps<Result>) {
  const state = job.state.value;
  if (state.is !== "running") return null;
  const { part } = state;
  return (
    <div class="running">
      <p>
        <Status isInline>{fill(linkWords().common.running, { action: doing })}</Status>{" "}
        <span class="hint">{formatPart(state)}</span>
      </p>
      <button type="button" class="small" onClick={job.clear}>
        {linkWords().common.cancel}
      </button>
      <progress value={part} max={1} aria-label={doing} />
    </div>
  );
}

function formatPart({ part, done }: Extract<JobState<unknown>, { is: "running" }>): string {
  return [...(done ? [done] : []), ...(part === undefined ? [] : [formatPercent(part)])].join(" · ");
}

/** A failure in the words of the chosen language. */
export function FailureNote({ failure, title }: { failure: Failure; title?: string | undefined }) {
  return (
    <Note kind="bad" title={title}>
      <p>{formatFailure(failure)}</p>
    </Note>
  );
}

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
