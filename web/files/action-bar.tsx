import { useEffect, useRef } from "preact/hooks";
import { MemberFailure } from "../account/member-failure.tsx";
import { MainButton } from "../parts/buttons.tsx";
import { ProgressBar, type Job } from "../parts/job.tsx";

interface ActionBarProps<Result> {
  readonly job: Job<Result>;
  /** The text of the button ("Turn pages"), and of the progress ("Turning pages"). */
  readonly action: string;
  readonly doing: string;
  readonly isReady?: boolean;
  /** What the failure is about, where that is one of several files. */
  readonly about?: string | undefined;
}

/** The button that starts the work, with its progress: always in sight, however long the page is. */
export function ActionBar<Result>({ job, action, doing, isReady = true, about }: ActionBarProps<Result>) {
  const state = job.state.value;
  const failure = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.is === "failed") failure.current?.scrollIntoView({ block: "nearest" });
  }, [state.is]);
  return (
    <>
      <div class="bar">
        <MainButton disabled={!isReady} isRunning={state.is === "running"}>
          {action}
        </MainButton>
        <ProgressBar job={job} doing={doing} />
      </div>
      {state.is === "failed" && (
        <div ref={failure}>
          <MemberFailure failure={state.failure} {...(about ? { title: about } : {})} />
        </div>
      )}
    </>
  );
}
