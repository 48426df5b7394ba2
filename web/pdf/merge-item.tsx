import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { formatFailure } from "../api/format-failure.ts";
import { formatBytes } from "../app/language/format.ts";
import { fill, formatCount, words } from "../app/language/words.ts";
import { PartButton, StepButtons } from "../parts/buttons.tsx";
import type { SortedItem } from "../parts/sorting.ts";
import {
  drawImage,
  FirstPage,
  isImageByType,
  openThumbnails,
  PageCount,
  type Thumbnails,
} from "./thumbnails.tsx";
import { PageZoom } from "./page-zoom.tsx";
import { usePdfFacts, type PdfFacts } from "./pdf-facts.ts";
import { readChosen } from "./range-text.ts";

/** A file in the list. */
export interface MergePart {
  readonly id: number;
  readonly file: File;
  readonly range: string;
  readonly password: string;
}

/** A file with its first page, its number of pages, and which of them to take. */
export function MergeItem(props: {
  part: MergePart;
  item: SortedItem;
  /** The code of the failure that named this file. */
  fault: string | undefined;
  onChange: (changes: Partial<MergePart>) => void;
  onRemove: () => void;
}) {
  const { part, item, fault, onChange, onRemove } = props;
  const facts = usePdfFacts(part.file, { password: part.password });
  const isTyping = useSignal(false);
  const isFaulty = fault !== undefined || facts.failure !== undefined;
  return (
    <li
      {...item.handlers}
      // Firefox does not let anybody select text inside a draggable element.
      draggable={!isTyping.value}
      onFocusIn={({ target }) => (isTyping.value = target instanceof HTMLInputElement)}
      onFocusOut={() => (isTyping.value = false)}
      class={`${isFaulty ? "faulty" : ""}${item.isTarget ? " target" : ""}`}
    >
      <EnlargedFirstPage file={part.file} password={part.password} isOff={facts.pages === undefined} />
      <div class="part-body">
        <PartHead part={part} item={item} pages={facts.pages} onRemove={onRemove} />
        <PartFields part={part} facts={facts} fault={fault} onChange={onChange} />
      </div>
    </li>
  );
}

function PartHead({
  part: { file },
  item,
  pages,
  onRemove,
}: {
  part: MergePart;
  item: SortedItem;
  pages: number | undefined;
  onRemove: () => void;
}) {
  const { name } = file;
  return (
    <div class="part">
      <span class="number">{item.place + 1}</span>
      <p class="part-name">
        <span class="name">{name}</span>
        <span class="hint">
          {formatBytes(file.size)}
          <PageCount pages={pages} />
        </span>
      </p>
      <span class="part-keys">
        <StepButtons item={item} name={name} />
        <PartButton icon="close" label={fill(words().order.remove, { name })} onClick={onRemove} />
      </span>
    </div>
  );
}

function PartFields({
  part,
  facts,
  fault,
  onChange,
}: {
  part: MergePart;
  facts: PdfFacts;
  fault: string | undefined;
  onChange: (changes: Partial<MergePart>) => void;
}) {
  const t = words().pdf.merge;
  const { range, password } = part;
  const { name } = part.file;
  const id = useId();
  const read = readChosen(range, facts.pages);
  const problem = facts.failure ? formatFailure(facts.failure) : read.error;
  const isAsked = facts.isProtected || password !== "";
  return (
    <>
      <div class="part-fields">
        <input
          class="code"
          value={range}
          placeholder={words().range.all}
          aria-label={fill(t.pagesOf, { name })}
          aria-invalid={read.error ? true : undefined}
          aria-describedby={id}
          autocomplete="off"
          onInput={(event) => onChange({ range: event.currentTarget.value })}
        />
        {isAsked && (
          <PartPassword
            part={part}
            isWrong={facts.failure?.code === "password_wrong"}
            isCalled={fault?.startsWith("password") ?? false}
            describedBy={id}
            onChange={onChange}
          />
        )}
      </div>
      <p class="hint" id={id} role="status">
        {problem ?? chosenOf(read.chosen, facts.pages)}
      </p>
    </>
  );
}

function chosenOf(chosen: readonly number[], pages: number | undefined): string | undefined {
  if (chosen.length === 0 || pages === undefined) return undefined;
  return fill(words().pdf.split.keptOf, {
    kept: chosen.length,
    pages: formatCount(pages, words().common.pages),
  });
}

function PartPassword({
  part,
  isWrong,
  isCalled,
  describedBy,
  onChange,
}: {
  part: MergePart;
  isWrong: boolean;
  /** Whether a merge has just failed because it is missing. */
  isCalled: boolean;
  describedBy: string;
  onChange: (changes: Partial<MergePart>) => void;
}) {
  const t = words().pdf.merge;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isCalled) field.current?.focus();
  }, [isCalled]);
  return (
    <input
      ref={field}
      class="code"
      type="password"
      value={part.password}
      placeholder={t.password}
      aria-label={fill(t.passwordOf, { name: part.file.name })}
      aria-invalid={isWrong ? true : undefined}
      aria-describedby={describedBy}
      autocomplete="off"
      onInput={(event) => onChange({ password: event.currentTarget.value })}
    />
  );
}

/** The first page of a file; pressing it shows all pages enlarged. */
function EnlargedFirstPage(props: { file: File; password: string; isOff: boolean }) {
  const { file, password, isOff } = props;
  const pages = useSignal<Thumbnails | undefined>(undefined);
  const open = async () => {
    // Without drawable pages there is nothing to show.
    pages.value = await openPages(file, password).catch(() => undefined);
  };
  const close = () => {
    void pages.value?.close();
    pages.value = undefined;
  };
  return (
    <>
      <button
        type="button"
        class="enlarging"
        disabled={isOff}
        aria-label={fill(words().range.enlarge, { page: file.name })}
        onClick={() => void open()}
      >
        <FirstPage {...props} />
      </button>
      {pages.value && <PageZoom pages={pages.value} first={1} onClose={close} />}
    </>
  );
}

function openPages(file: File, password: string): Promise<Thumbnails> {
  if (!isImageByType(file)) return openThumbnails(file, password);
  return Promise.resolve({
    count: 1,
    draw: (_page, canvas, width) => drawImage(file, canvas, width),
    close: () => Promise.resolve(),
  });
}
