import { batch, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Control } from "../work/run.ts";
import { ActionBar, PlaceChoice, useTooLarge, type ToolMachine } from "./action-bar.tsx";
import { ChosenFile, Drop } from "./drop.tsx";
import type { ExampleName } from "./example.tsx";
import type { FileKind } from "./file-kind.ts";
import { useDraft } from "../app/paths/history.ts";
import { useIncoming, type UnfitFinder, type UnfitFile } from "./incoming.ts";
import { fill, words } from "../app/language/words.ts";
import { confirmLeave } from "../app/unsaved.tsx";
import { CurlCommand } from "../parts/copy.tsx";
import { FileResult, useMadeFrom, type MadeFile } from "./file-result.tsx";
import { useLatest, type Job } from "../parts/job.tsx";
import { Note, Status } from "../parts/note.tsx";
import { FirstPage, isImageByType } from "../pdf/thumbnails.tsx";
import { Refused, Unfit } from "./refused.tsx";
import { useRows } from "./rows.tsx";

/** Makes a file from a file, here or on the server. */
export type Work = (file: File, control: Control) => Promise<MadeFile>;

interface FileToolProps {
  readonly what: string;
  readonly example: ExampleName;
  readonly kind?: FileKind;
  readonly file: Signal<File | undefined>;
  /** More files, for a tool that takes several at once. */
  readonly more?: Signal<readonly File[]>;
  /** Finds files of this kind that the work would refuse. */
  readonly findUnfit?: UnfitFinder;
  /**
   * Finds chosen files that the work would refuse with the current settings; they stay, because settings can be
   * changed.
   */
  readonly findMisfits?: (files: readonly File[], place: ToolMachine) => Promise<readonly UnfitFile[]>;
  /** What can be done with them instead, where there are no others; `take` takes them. */
  readonly instead?: (
    unfit: readonly UnfitFile[],
    take: (files: readonly File[]) => void,
  ) => ComponentChildren;
  /** The text of the button ("Turn pages"), and of the progress ("Turning pages"). */
  readonly action: string;
  readonly doing: string;
  readonly here: Work;
  readonly onServer: Work;
  readonly curl: (file: File) => string;
  readonly job: Job<MadeFile>;
  /** The options, to be compared: a result made with others is marked as old. */
  readonly options: object;
  /** The fields for the options, shown once there is a file. */
  readonly fields: ComponentChildren;
  /** What is known of the file, where it is the only one. */
  readonly about?: ComponentChildren;
  /** What the file shows, in whose place the result comes. */
  readonly stage?: ComponentChildren;
  readonly preview?: (made: MadeFile) => ComponentChildren;
  /** What must stay with a result, also when it is old, as it was when its work began. */
  readonly reminder?: ComponentChildren;
  readonly isReady?: boolean;
  /** Whether a browser cannot do what the options ask for. */
  readonly isOnlyOnServer?: boolean;
}

/** A tool that makes a file from a file: choose, set options, run, save. */
export function FileTool(props: FileToolProps) {
  const { what, kind, file, more, job, findUnfit, instead } = props;
  const all = file.value ? [file.value, ...(more?.value ?? [])] : [];
  const { rows, more: moreRows } = useRows(all);
  const choose = ([first, ...rest]: readonly File[]) =>
    batch(() => {
      file.value = first;
      if (more) more.value = rest;
    });
  const incoming = useIncoming({
    kind,
    isMultiple: more !== undefined,
    findUnfit,
    onFiles: (files) => choose(more ? [...all, ...files] : files),
  });
  // Not after painting: by then the next job may have started, which this would drop.
  useLayoutEffect(() => (file.value ? job.outdate() : job.clear()), [file.value, more?.value]);
  const remove = async (index: number) => {
    // A result is shown as long as there is a file.
    if (all.length > 1 || job.state.value.is !== "done" || (await confirmLeave()))
      choose(all.toSpliced(index, 1));
  };
  const list = useRef<HTMLDivElement>(null);
  const undo = () => {
    job.clear();
    list.current?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: "nearest" });
  };
  const place = useDraft<ToolMachine>("place", "here");
  const misfits = useMisfits(all, props, place.value);
  const { unfit } = incoming.refused.value;
  const chosen = file.value;
  if (!chosen) {
    return (
      <>
        <Drop what={what} incoming={incoming} example={props.example} />
        <Refused incoming={incoming} />
        <Unfit unfit={unfit} instead={(unfit) => instead?.(unfit, incoming.take)} />
      </>
    );
  }
  return (
    <ChosenTool {...props} place={place} chosen={chosen} all={all} onUndo={undo}>
      <div class="list" ref={list} role="group" aria-label={words().files.chosen} tabIndex={-1}>
        {rows.map((one, i) => (
          <ChosenFile
            key={i}
            file={one}
            {...(kind === "image" && isImageByType(one) && { picture: <FirstPage file={one} password="" /> })}
            {...(all.length > 1
              ? { remove: fill(words().order.remove, { name: one.name }) }
              : { about: props.about })}
            onRemove={() => void remove(i)}
          />
        ))}
        {moreRows}
      </div>
      {more && <Drop what={what} incoming={incoming} />}
      <Refused incoming={incoming} />
      <Unfit
        unfit={[...unfit, ...misfits]}
        // They are chosen already.
        instead={() => misfits.length === all.length && instead?.(misfits, () => undefined)}
      />
    </ChosenTool>
  );
}

/** Checked again whenever a file, an option or the place changes. */
function useMisfits(all: readonly File[], props: FileToolProps, place: ToolMachine): readonly UnfitFile[] {
  const { file, more, findMisfits, options } = props;
  const find = async () => {
    if (!findMisfits) return undefined;
    // The work reports what cannot be checked here.
    return findMisfits(all, place).catch(() => []);
  };
  const found = useLatest(find, [file.value, more?.value, JSON.stringify([place, options])]) ?? [];
  return found.filter(({ file: each }) => all.includes(each));
}

/** The files and what is made of them; beside them, where there is room, the fields and the button. */
function ChosenTool(
  props: FileToolProps & {
    place: Signal<ToolMachine>;
    chosen: File;
    all: readonly File[];
    onUndo: () => void;
    /** The list of them. */
    children: ComponentChildren;
  },
) {
  const { chosen, all, place, job, options, isReady = true, isOnlyOnServer = false } = props;
  const work = place.value === "here" ? props.here : props.onServer;
  const state = job.state.value;
  const settings = JSON.stringify([place.value, options]);
  const { isOld, remember } = useMadeFrom([settings, ...all]);
  useLayoutEffect(() => {
    // A refusal was for other settings.
    if (state.is === "failed") job.clear();
  }, [settings]);
  // Of several, one may be sent in a smaller ZIP, and the others are done without one that is too large.
  const tooLarge = useTooLarge(all.length > 1 ? [] : [chosen], place.value);
  const canStart = isReady && tooLarge.length === 0 && !(isOnlyOnServer && place.value === "here");
  const reminder = useRef<ComponentChildren>(null);
  const start = () => {
    remember();
    reminder.current = props.reminder;
    return job.start((control) => work(chosen, control));
  };
  return (
    <form
      class="tool staged"
      onSubmit={() => {
        if (canStart && state.is !== "running") void start();
      }}
    >
      <div class="stage">
        {state.is === "done" && (
          <FileResult made={state.result} isOld={isOld} onUndo={props.onUndo}>
            {reminder.current}
            {!isOld && props.preview?.(state.result)}
          </FileResult>
        )}
        {props.children}
        {(state.is !== "done" || isOld) && props.stage}
      </div>
      <div class="setup">
        {props.fields}
        <PlaceChoice place={place} />
        <Unfit unfit={tooLarge} />
        <Status>
          {isOnlyOnServer && place.value === "here" && (
            <Note kind="warn">{words().errors.only_on_server}</Note>
          )}
        </Status>
        <ActionBar job={job} action={props.action} doing={props.doing} isReady={canStart} />
        <CurlCommand line={props.curl(chosen)} />
      </div>
    </form>
  );
}
