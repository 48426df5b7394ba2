import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ImageFit } from "../../../tools/file/document-options.ts";
import type { MergedPdf } from "../../../tools/pdf-merge.ts";
import { callOptions, server } from "../../api/server.ts";
import { quoteForShell } from "../../app/curl.ts";
import { useDraft, useKept } from "../../app/paths/history.ts";
import { formatNumber } from "../../app/language/format.ts";
import { formatCount, words } from "../../app/language/words.ts";
import { SERVER_URL } from "../../app/paths/base.ts";
import { confirmLeave } from "../../app/unsaved.tsx";
import { PageHead } from "../../app/shell.tsx";
import { ActionBar, PlaceChoice, useTooLarge, type ToolMachine } from "../../files/action-bar.tsx";
import { Drop } from "../../files/drop.tsx";
import { FileResult, makeFile, useMadeFrom, type MadeFile } from "../../files/file-result.tsx";
import { useIncoming, type UnfitFile } from "../../files/incoming.ts";
import { Refused, Unfit } from "../../files/refused.tsx";
import { useRows } from "../../files/rows.tsx";
import { CurlCommand } from "../../parts/copy.tsx";
import { Check, Choices } from "../../parts/field.tsx";
import { useJob } from "../../parts/job.tsx";
import { useSorting } from "../../parts/sorting.ts";
import { lostPassword } from "../../pdf/pdf-facts.ts";
import { isImageByType } from "../../pdf/thumbnails.tsx";
import { type MergePart, MergeItem } from "../../pdf/merge-item.tsx";
import "../../style/tools.css";
import { bytesOf } from "../../work/read-chunks.ts";
import { runHere, type Control } from "../../work/run.ts";

const PDF = "application/pdf";
let parts = 0;

/** Joins PDFs and images in the order of the list. */
export function Page() {
  const t = words().pdf.merge;
  const list = useDraft<readonly MergePart[]>("list", []);
  const place = useDraft<ToolMachine>("place", "here");
  const bookmarks = useDraft("bookmarks", false);
  const evenPages = useDraft("evenPages", false);
  const fit = useDraft<ImageFit>("fit", "image");
  const isSeveral = list.value.length > 1;
  const hasImages = list.value.some(({ file }) => isImageByType(file));
  // Hidden options have no effect.
  const options = {
    bookmarks: isSeveral && bookmarks.value,
    evenPages: isSeveral && evenPages.value,
    fit: hasImages ? fit.value : "image",
  } as const;
  const job = useJob<MadeFile>();
  const form = useRef<HTMLFormElement>(null);
  // Not after painting: by then the next job may have started, which this would drop.
  useLayoutEffect(
    () => (list.value.length > 0 ? job.outdate() : job.clear()),
    [list.value, bookmarks.value, evenPages.value, fit.value],
  );
  const state = job.state.value;
  const { isOld, remember } = useMadeFrom([JSON.stringify([place.value, options]), ...list.value]);
  // Once there is a result of it, that is what could be lost.
  useKept(list.value.length > 0 && (state.is !== "done" || isOld));
  const add = (files: readonly File[]) => {
    list.value = [...list.value, ...files.map((file) => ({ id: ++parts, file, range: "", password: "" }))];
  };
  const incoming = useIncoming({ kind: "page", isMultiple: true, findUnfit, onFiles: add });
  const tooLarge = useTooLarge(
    list.value.map(({ file }) => file),
    place.value,
  );
  const merge = place.value === "here" ? mergeHere : mergeOnServer;
  const faulty = state.is === "failed" ? faultOf(state.failure) : undefined;
  const undo = () => {
    job.clear();
    form.current?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  };
  const chooser = (
    <>
      <Drop
        what={list.value.length === 0 ? words().files.pages : words().files.morePages}
        incoming={incoming}
        {...(list.value.length === 0 && { example: "pdf-merge" })}
      />
      <Refused incoming={incoming} />
      <Unfit unfit={incoming.refused.value.unfit} />
    </>
  );
  return (
    <section class="page">
      <PageHead title={words().pages["pdf-merge"].title}>{t.lead}</PageHead>
      {list.value.length === 0 ? (
        chooser
      ) : (
        <form
          ref={form}
          class="tool staged"
          tabIndex={-1}
          aria-label={words().files.chosen}
          onSubmit={() => {
            if (state.is === "running") return;
            remember();
            void job.start((control) => merge(list.value, { options, control }));
          }}
        >
          <div class="stage">
            {state.is === "done" && <FileResult made={state.result} isOld={isOld} onUndo={undo} />}
            <MergeList
              list={list}
              faulty={faulty}
              // A result is shown as long as there is a file.
              mayEmpty={async () => state.is !== "done" || confirmLeave()}
            />
            {chooser}
          </div>
          <div class="setup">
            {isSeveral && <Check label={t.bookmarks} value={bookmarks} />}
            {isSeveral && <Check label={t.evenPages} value={evenPages} />}
            {hasImages && <Choices label={t.fit} value={fit} choices={t.fits} />}
            <PlaceChoice place={place} />
            <Unfit unfit={tooLarge} />
            <ActionBar
              job={job}
              action={list.value.length === 1 ? t.submitOne : formatCount(list.value.length, t.submit)}
              doing={t.busy}
              isReady={tooLarge.length === 0}
              about={faulty && list.value[faulty.index]?.file.name}
            />
            <CurlCommand line={mergeLine(list.value, options)} />
          </div>
        </form>
      )}
    </section>
  );
}

async function findUnfit(files: readonly File[]): Promise<readonly UnfitFile[]> {
  return (await import("../../image/chosen-images.ts")).findUnfitImages(files, "pages");
}

function faultOf({ code, fields }: { code: string; fields: Readonly<Record<string, unknown>> }) {
  return typeof fields.file === "number" ? { index: fields.file, code } : undefined;
}

interface MergeJob {
  readonly options: { readonly bookmarks: boolean; readonly evenPages: boolean; readonly fit: ImageFit };
  readonly control: Control;
}

async function mergeHere(list: readonly MergePart[], { options, control }: MergeJob): Promise<MadeFile> {
  const given = list.map((part) => ({ ...readPart(part), data: part.file }));
  return present(await runHere("mergePdf", [given, options], control));
}

async function mergeOnServer(list: readonly MergePart[], { options, control }: MergeJob): Promise<MadeFile> {
  const given = list.map(async (part) => ({ ...readPart(part), data: await bytesOf(part.file) }));
  const made = await server.tools.pdfMerge.mutate(
    { files: await Promise.all(given), ...options },
    callOptions(control),
  );
  return present({ ...made, bytes: made.data });
}

function readPart({ file, range, password }: MergePart) {
  return { name: file.name, range: range.trim() || undefined, password: password || undefined };
}

type MergeAnswer = Pick<MergedPdf, "bytes" | "pages" | "warnings"> & {
  readonly files: readonly Pick<MergedPdf["files"][number], "passwordNeeded">[];
};

function present({ bytes, pages, warnings, files }: MergeAnswer): MadeFile {
  const isLost = files.some(({ passwordNeeded }) => passwordNeeded);
  return {
    file: makeFile(bytes, { name: "merged.pdf", type: PDF }),
    facts: { [words().pdf.pages]: formatNumber(pages), ...lostPassword(isLost) },
    warnings,
  };
}

function mergeLine(list: readonly MergePart[], options: MergeJob["options"]): string {
  const fields = list.flatMap(({ file, range, password }, i) => [
    `-F ${quoteForShell(`file=@${file.name}`)}`,
    ...(range.trim() ? [`-F ${quoteForShell(`range[${i}]=${range.trim()}`)}`] : []),
    ...(password ? [`-F "password[${i}]=$PASSWORD_${i}"`] : []),
  ]);
  const { fit, ...switches } = options;
  const chosen = Object.entries(switches).flatMap(([name, isChosen]) =>
    isChosen ? [`-F ${name}=true`] : [],
  );
  if (fit !== "image") chosen.push(`-F fit=${fit}`);
  return `curl ${[...fields, ...chosen].join(" ")} ${SERVER_URL}/api/tools/pdf-merge -o merged.pdf`;
}

/** A list of files that is sorted by dragging, with buttons, or with Alt and the arrow keys. */
function MergeList({
  list,
  faulty,
  mayEmpty,
}: {
  list: Signal<readonly MergePart[]>;
  /** The file that a failure named. */
  faulty: { index: number; code: string } | undefined;
  /** Asked before the last file is removed. */
  mayEmpty: () => Promise<boolean>;
}) {
  const parts = list.value;
  const { rows, more, showUpTo } = useRows(parts);
  useLayoutEffect(() => {
    if (faulty) showUpTo(faulty.index);
  }, [faulty?.index]);
  const { announcement, itemAt } = useSorting({
    items: parts,
    nameOf: ({ file }) => file.name,
    keys: ["ArrowUp", "ArrowDown"],
    onSort: (sorted, to) => {
      list.value = sorted;
      showUpTo(to);
    },
  });
  const change = (id: number, changes: Partial<MergePart>) => {
    list.value = list.peek().map((part) => (part.id === id ? { ...part, ...changes } : part));
  };
  return (
    <>
      <ol class="merge">
        {rows.map((part, i) => (
          <MergeItem
            key={part.id}
            part={part}
            item={itemAt(i)}
            fault={faulty?.index === i ? faulty.code : undefined}
            onChange={(changes) => change(part.id, changes)}
            onRemove={async () => {
              if (parts.length > 1 || (await mayEmpty())) list.value = parts.toSpliced(i, 1);
            }}
          />
        ))}
      </ol>
      {more}
      {parts.length > 1 && <p class="hint">{words().pdf.merge.hint}</p>}
      <p class="unseen" role="status">
        {announcement.value}
      </p>
    </>
  );
}
