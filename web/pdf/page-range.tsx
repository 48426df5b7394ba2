import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { words } from "../app/language/words.ts";
import { TextField } from "../parts/field.tsx";
import { Status } from "../parts/note.tsx";
import { PageGrid } from "./page-grid.tsx";
import { PageOrder } from "./page-order.tsx";
import type { ChosenPdf } from "./pdf-tool.tsx";
import { readChosen } from "./range-text.ts";
import { openThumbnails, type Thumbnails } from "./thumbnails.tsx";

/** The pages that are chosen, and how. */
interface Choice {
  readonly input: ChosenPdf;
  readonly range: Signal<string>;
  /** Whether the chosen pages are removed. */
  readonly isDrop?: boolean;
}

/** Pages chosen by typing a range; the thumbnails show and change the same. */
export function PageRangeField({
  label,
  empty,
  ...choice
}: Choice & {
  label: string;
  /** The meaning of an empty range, if it may be empty. */
  empty?: string;
}) {
  const { error } = readChoice(choice);
  return (
    <TextField
      label={label}
      value={choice.range}
      isCode
      placeholder={empty ?? words().range.placeholder}
      isInvalid={error !== undefined}
      hint={error ? <Status isInline>{error}</Status> : words().range.hint}
    />
  );
}

/** Pages chosen by clicking thumbnails. */
export function PageStage({
  isOrdered,
  degrees,
  ...choice
}: Choice & {
  /** Whether the result keeps the order of the range. */
  isOrdered?: boolean;
  /** How far the chosen pages will be turned clockwise; all pages where none is chosen. */
  degrees?: number;
}) {
  const { input, range } = choice;
  const pages = useThumbnails(input);
  const { chosen } = readChoice(choice);
  if (!pages) return null;
  return (
    <div class="stack">
      {isOrdered && chosen.length > 1 && <PageOrder pages={pages} chosen={chosen} range={range} />}
      <PageGrid pages={pages} chosen={chosen} range={range} degrees={degrees} />
    </div>
  );
}

function readChoice({ input, range, isDrop }: Choice) {
  return readChosen(range.value, isOne(input) ? input.facts.pages : undefined, { isDrop });
}

/** Each of several files has its own pages. */
function isOne({ more }: ChosenPdf): boolean {
  return more.value.length === 0;
}

function useThumbnails(input: ChosenPdf): Thumbnails | undefined {
  const { file, password, facts } = input;
  const pages = useSignal<Thumbnails | undefined>(undefined);
  const opened = facts.pages === undefined || !isOne(input) ? undefined : file.value;
  useEffect(() => {
    if (!opened) return undefined;
    let isCurrent = true;
    // A PDF that cannot be drawn can still be processed, without thumbnails.
    const opening = openThumbnails(opened, password.value).catch(() => undefined);
    void opening.then((thumbnails) => {
      if (isCurrent) pages.value = thumbnails;
    });
    return () => {
      isCurrent = false;
      pages.value = undefined;
      void opening.then((thumbnails) => thumbnails?.close());
    };
  }, [opened]);
  return pages.value;
}
