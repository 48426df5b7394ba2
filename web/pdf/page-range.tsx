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

/** Pages chosen by typing a range or by clicking thumbnails; each updates the other. */
export function PageRangeField({
  input,
  range,
  label,
  empty,
  isOrdered,
  isDrop,
  degrees,
}: {
  input: ChosenPdf;
  range: Signal<string>;
  label: string;
  /** The meaning of an empty range, if it may be empty. */
  empty?: string;
  /** Whether the result keeps the order of the range. */
  isOrdered?: boolean;
  /** Whether the chosen pages are removed. */
  isDrop?: boolean;
  /** How far the chosen pages will be turned clockwise; all pages where none is chosen. */
  degrees?: number;
}) {
  // Each of several files has its own pages.
  const isOne = input.more.value.length === 0;
  const pages = useThumbnails(input, isOne);
  const count = isOne ? (input.facts.pages ?? pages?.count) : undefined;
  const { chosen, error } = readChosen(range.value, count, { isDrop });
  return (
    <div class="field">
      <TextField
        label={label}
        value={range}
        isCode
        placeholder={empty ?? words().range.placeholder}
        isInvalid={error !== undefined}
        hint={error ? <Status isInline>{error}</Status> : words().range.hint}
      />
      {pages && isOrdered && chosen.length > 1 && <PageOrder pages={pages} chosen={chosen} range={range} />}
      {pages && <PageGrid pages={pages} chosen={chosen} range={range} degrees={degrees} />}
    </div>
  );
}

function useThumbnails({ file, password, facts }: ChosenPdf, isOne: boolean): Thumbnails | undefined {
  const pages = useSignal<Thumbnails | undefined>(undefined);
  const opened = facts.pages === undefined || !isOne ? undefined : file.value;
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
