import { useSignal, type Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatBytes } from "../app/format.ts";
import { fill, words } from "../app/words.ts";
import { Icon } from "../parts/icon.tsx";

/** A file in the list. */
export interface MergePart {
  readonly id: number;
  readonly file: File;
  readonly range: string;
  readonly password: string;
}

interface MergeListProps {
  readonly list: Signal<readonly MergePart[]>;
  /** The file that a failure named. */
  readonly faulty: { readonly index: number; readonly code: string } | undefined;
}

/** A list of files that is sorted by dragging, with buttons, or with Alt and the arrow keys. */
export function MergeList({ list, faulty }: MergeListProps) {
  const announcement = useSignal("");
  const dragged = useRef<number | undefined>(undefined);
  const parts = list.value;
  const move = (from: number, to: number) => {
    const part = parts[from];
    if (!part || to < 0 || to >= parts.length) return;
    list.value = parts.toSpliced(from, 1).toSpliced(to, 0, part);
    announcement.value = fill(words().pdf.merge.moved, {
      name: part.file.name,
      number: to + 1,
      count: parts.length,
    });
  };
  const change = (i: number, changes: Partial<MergePart>) => {
    list.value = parts.map((part, at) => (at === i ? { ...part, ...changes } : part));
  };
  return (
    <>
      <ol class="merge">
        {parts.map((part, i) => (
          <MergeItem
            key={part.id}
            part={part}
            place={{ i, count: parts.length }}
            dragged={dragged}
            fault={faulty?.index === i ? faulty.code : undefined}
            onMove={(from, to) => move(from, to)}
            onChange={(changes) => change(i, changes)}
            onRemove={() => (list.value = parts.toSpliced(i, 1))}
          />
        ))}
      </ol>
      <p class="hint">{words().pdf.merge.hint}</p>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
    </>
  );
}

interface MergeItemProps {
  readonly part: MergePart;
  readonly place: { readonly i: number; readonly count: number };
  /** The index of the file that is being dragged, shared by all items. */
  readonly dragged: { current: number | undefined };
  readonly fault: string | undefined;
  readonly onMove: (from: number, to: number) => void;
  readonly onChange: (changes: Partial<MergePart>) => void;
  readonly onRemove: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function MergeItem({ part, place, dragged, fault, onMove, onChange, onRemove }: MergeItemProps) {
  const { i } = place;
  const drop = () => {
    if (dragged.current !== undefined) onMove(dragged.current, i);
    dragged.current = undefined;
  };
  const moveByKey = (event: KeyboardEvent) => {
    const step = event.altKey ? STEPS[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    onMove(i, i + step);
  };
  return (
    <li
      draggable
      class={fault === undefined ? undefined : "faulty"}
      onDragStart={() => (dragged.current = i)}
      onDragOver={(event) => dragged.current !== undefined && event.preventDefault()}
      onDrop={drop}
      onDragEnd={() => (dragged.current = undefined)}
      onKeyDown={moveByKey}
    >
      <PartHead part={part} place={place} onMove={(step) => onMove(i, i + step)} onRemove={onRemove} />
      <PartFields part={part} wantsPassword={fault?.startsWith("password") ?? false} onChange={onChange} />
    </li>
  );
}

interface PartHeadProps {
  readonly part: MergePart;
  readonly place: { readonly i: number; readonly count: number };
  readonly onMove: (step: -1 | 1) => void;
  readonly onRemove: () => void;
}

function PartHead({ part: { file }, place: { i, count }, onMove, onRemove }: PartHeadProps) {
  const t = words().pdf.merge;
  const { name } = file;
  return (
    <div class="part">
      <span class="number">{i + 1}</span>
      <span class="name">
        {file.name} <span class="hint">{formatBytes(file.size)}</span>
      </span>
      <PartButton icon="up" label={fill(t.up, { name })} isOff={i === 0} onClick={() => onMove(-1)} />
      <PartButton
        icon="down"
        label={fill(t.down, { name })}
        isOff={i === count - 1}
        onClick={() => onMove(1)}
      />
      <PartButton icon="close" label={fill(t.remove, { name })} onClick={onRemove} />
    </div>
  );
}

interface PartButtonProps {
  readonly icon: "up" | "down" | "close";
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function PartButton({ icon, label, isOff, onClick }: PartButtonProps) {
  // Not disabled, as a focused button would lose the focus.
  return (
    <button
      type="button"
      class="quiet icon-only small"
      aria-label={label}
      aria-disabled={isOff ? true : undefined}
      onClick={() => !isOff && onClick()}
    >
      <Icon name={icon} size={18} />
    </button>
  );
}

interface PartFieldsProps {
  readonly part: MergePart;
  readonly wantsPassword: boolean;
  readonly onChange: (changes: Partial<MergePart>) => void;
}

function PartFields({ part: { file, range, password }, wantsPassword, onChange }: PartFieldsProps) {
  const t = words().pdf.merge;
  const { name } = file;
  return (
    <div class="part-fields">
      <input
        class="code"
        value={range}
        placeholder={words().range.all}
        aria-label={fill(t.pagesOf, { name })}
        autocomplete="off"
        onInput={(event) => onChange({ range: event.currentTarget.value })}
      />
      {(wantsPassword || password !== "") && (
        <input
          class="code"
          type="password"
          value={password}
          placeholder={t.password}
          aria-label={fill(t.passwordOf, { name })}
          autocomplete="off"
          onInput={(event) => onChange({ password: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
