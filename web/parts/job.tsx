import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { describeError, type Failure } from "../api/server.ts";
import type { Control } from "../work/run.ts";
import { formatBytes } from "../app/format.ts";
import { Note } from "./note.tsx";

/** One piece of work at a time, and what became of it. */
export type JobState<Result> =
  | { readonly is: "idle" }
  | { readonly is: "running"; readonly part: number | undefined }
  | { readonly is: "done"; readonly result: Result }
  | { readonly is: "failed"; readonly failure: Failure };

export interface Job<Result> {
  readonly state: Signal<JobState<Result>>;
  readonly start: (work: (control: Control) => Promise<Result>) => Promise<void>;
  readonly cancel: () => void;
  /** Forgets the result or failure, as the input is another one now. */
  readonly clear: () => void;
}

/** Runs work that can be watched, cancelled and started anew; a page that is left cancels its work. */
export function useJob<Result>(): Job<Result> {
  const state = useSignal<JobState<Result>>({ is: "idle" });
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(work: (control: Control) => Promise<Result>) {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    state.value = { is: "running", part: undefined };
    const onProgress = (part: number) => {
      if (!signal.aborted) state.value = { is: "running", part };
    };
    try {
      const result = await work({ signal, onProgress });
      if (!signal.aborted) state.value = { is: "done", result };
    } catch (error) {
      if (!signal.aborted) state.value = { is: "failed", failure: describeError(error) };
    }
  }
  function clear() {
    running.current?.abort();
    if (state.peek().is !== "idle") state.value = { is: "idle" };
  }
  return { state, start, cancel: clear, clear };
}

interface JobViewProps<Result> {
  readonly job: Job<Result>;
  /** What is going on, such as "Turning pages". */
  readonly doing: string;
}

/** Progress with a way to stop it, or the failure in the service's words. */
export function JobView<Result>({ job, doing }: JobViewProps<Result>) {
  const state = job.state.value;
  if (state.is === "running") return <Running doing={doing} part={state.part} onCancel={job.cancel} />;
  if (state.is === "failed") return <FailureNote failure={state.failure} />;
  return null;
}

function Running({
  doing,
  part,
  onCancel,
}: {
  doing: string;
  part: number | undefined;
  onCancel: () => void;
}) {
  const percent = part === undefined ? "" : ` ${Math.round(part * 100)} %`;
  return (
    <div class="panel running">
      <p role="status">{doing}…</p>
      <progress value={part} max={1} aria-label={doing} />
      <div class="actions">
        <button type="button" class="small" onClick={onCancel}>
          Cancel
        </button>
        <span class="hint">{percent}</span>
      </div>
    </div>
  );
}

/** A failure as the API words it, with what it names. */
export function FailureNote({ failure, title }: { failure: Failure; title?: string }) {
  const { limit, value, unit, actual } = failure.fields;
  const isSize = unit === "bytes" && typeof value === "number" && typeof actual === "number";
  return (
    <Note kind="bad" {...(title ? { title } : {})}>
      <p>{failure.message}</p>
      {isSize && (
        <p class="hint">
          {String(limit)}: {formatBytes(actual)} of at most {formatBytes(value)}
        </p>
      )}
    </Note>
  );
}
