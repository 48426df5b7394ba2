import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { Control } from "../work/run.ts";
import { ChosenFile, Drop } from "./drop.tsx";
import { CurlCommand } from "../parts/copy.tsx";
import { FileResult, type MadeFile } from "./file-result.tsx";
import { JobView, useJob, type Job } from "../parts/job.tsx";
import { PlaceChoice, type Place } from "./place.tsx";

/** Makes a file from a file, here or on the server. */
export type Work = (file: File, control: Control) => Promise<MadeFile>;

interface FileToolProps {
  readonly what: string;
  readonly accept?: string;
  readonly file: Signal<File | undefined>;
  /** Further files, for a tool that takes several at once. */
  readonly more?: Signal<readonly File[]>;
  /** The text of the button ("Turn pages"), and of the progress ("Turning pages"). */
  readonly action: string;
  readonly doing: string;
  readonly here: Work;
  readonly onServer: Work;
  readonly curl: (file: File) => string;
  readonly job: Job<MadeFile>;
  /** The options, to be compared: a result made with others is marked as old. */
  readonly options: object;
  /** The options, shown once there is a file. */
  readonly children?: ComponentChildren;
  readonly preview?: (made: MadeFile) => ComponentChildren;
  readonly isReady?: boolean;
}

/** The job of a page whose result is a file. */
export function useFileJob(): Job<MadeFile> {
  return useJob<MadeFile>();
}

/** A tool that makes a file from a file: choose, set options, run, save. */
export function FileTool(props: FileToolProps) {
  const { what, accept, file, more, job } = props;
  const choose = useCallback(([first, ...rest]: readonly File[]) => {
    file.value = first;
    if (more) more.value = rest;
  }, []);
  useEffect(() => job.clear(), [file.value, more?.value]);
  const chosen = file.value;
  if (!chosen)
    return (
      <Drop what={what} isMultiple={more !== undefined} {...(accept ? { accept } : {})} onFiles={choose} />
    );
  const all = [chosen, ...(more?.value ?? [])];
  return (
    <>
      {all.map((one, i) => (
        <ChosenFile key={i} file={one} onRemove={() => choose(all.toSpliced(i, 1))} />
      ))}
      <ChosenTool {...props} chosen={chosen} />
    </>
  );
}

function ChosenTool(props: FileToolProps & { chosen: File }) {
  const {
    chosen,
    children,
    action,
    doing,
    job,
    curl,
    here,
    onServer,
    preview,
    options,
    isReady = true,
  } = props;
  const place = useSignal<Place>("here");
  const work = place.value === "here" ? here : onServer;
  const state = job.state.value;
  const ranWith = useRef("");
  const current = JSON.stringify([place.value, options]);
  const start = () => {
    ranWith.current = current;
    return job.start((control) => work(chosen, control));
  };
  return (
    <form
      class="tool"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && state.is !== "running") void start();
      }}
    >
      {children}
      <PlaceChoice place={place} />
      <div class="actions">
        <button class="primary" disabled={!isReady || state.is === "running"}>
          {action}
        </button>
      </div>
      <JobView job={job} doing={doing} />
      {state.is === "done" && (
        <FileResult made={state.result} isOld={ranWith.current !== current}>
          {preview?.(state.result)}
        </FileResult>
      )}
      <CurlCommand line={curl(chosen)} />
    </form>
  );
}
