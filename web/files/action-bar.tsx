import type { Signal } from "@preact/signals";
import { ShownFailure } from "../account/member-failure.tsx";
import { MainButton } from "../parts/buttons.tsx";
import { ProgressBar, useLatest, type Job } from "../parts/job.tsx";
import { words } from "../app/language/words.ts";
import { isForMembers, loadToolFileBytes } from "../api/limits.ts";
import { Choices } from "../parts/field.tsx";
import type { UnfitFile } from "./incoming.ts";

interface ActionBarProps<Result> {
  readonly job: Job<Result>;
  /** The text of the button ("Turn pages"), and of the progress ("Turning pages"). */
  readonly action: string;
  readonly doing: string;
  readonly isReady?: boolean;
  /** The file that the failure is about, where there are several. */
  readonly about?: string | undefined;
}

/** The button that starts the work, with its progress, always visible on pages of any length. */
export function ActionBar<Result>({ job, action, doing, isReady = true, about }: ActionBarProps<Result>) {
  const state = job.state.value;
  return (
    <>
      <div class="bar">
        <MainButton disabled={!isReady} isRunning={state.is === "running"}>
          {action}
        </MainButton>
        <ProgressBar job={job} doing={doing} />
      </div>
      {state.is === "failed" && <ShownFailure failure={state.failure} title={about} />}
    </>
  );
}

export type ToolMachine = "here" | "server";

/** The choice between this browser, which is the default, and the server. */
export function PlaceChoice({ place }: { place: Signal<ToolMachine> }) {
  const t = words().files;
  if (isForMembers("tools")) return <p class="hint">{words().members.tools}</p>;
  return <Choices label={t.where} value={place} choices={t.places} hint={t.placeHints[place.value]} />;
}

/** A smaller file is sent as quickly as the limit is asked for. */
const ASKED_FROM_BYTES = 1024 * 1024;

/** The chosen files that the server would refuse for their size, known before they are sent; in the browser none. */
export function useTooLarge(files: readonly File[], place: ToolMachine): readonly UnfitFile[] {
  const isAsked = place === "server" && files.some(({ size }) => size > ASKED_FROM_BYTES);
  // Without an answer the work reports it. Asked each time: somebody may have logged in.
  const ask = async () => (isAsked ? loadToolFileBytes() : undefined);
  const value = useLatest(ask, [isAsked]);
  if (!isAsked || value === undefined) return [];
  return files
    .filter(({ size }) => size > value)
    .map((file) => ({
      file,
      failure: { code: "file_too_large", fields: { value, unit: "bytes", actual: file.size } },
    }));
}
