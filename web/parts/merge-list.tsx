import { useSignal, type Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { sayBytes } from "../say.ts";
import { Icon } from "./icon.tsx";

/** A file on its place in the list. */
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

/** Files in an order that is changed by dragging, by buttons, or by Alt and the arrow keys. */
export function MergeList({ list, faulty }: MergeListProps) {
  const said = useSignal("");
  const dragged = useRef<number | undefined>(undefined);
  const parts = list.value;
  const move = (from: number, to: number) => {
    const part = parts[from];
    if (!part || to < 0 || to >= parts.length) return;
    list.value = parts.toSpliced(from, 1).toSpliced(to, 0, part);
    said.value = `${part.file.name} is now number ${to + 1} of ${parts.length}`;
  };
  const change = (i: number, changes: Partial<MergePart>) => {
    list.value = parts.map((part, at) => (at === i ? { ...part, ...changes } : part));
  };
  return (
    <>
      <ol class="merge">
        {parts.map((part, i) => (
          <li
            key={part.id}
            draggable
            class={faulty?.index === i ? "faulty" : undefined}
            onDragStart={() => (dragged.current = i)}
            onDragOver={(event) => dragged.current !== undefined && event.preventDefault()}
            onDrop={() => {
              if (dragged.current !== undefined) move(dragged.current, i);
              dragged.current = undefined;
            }}
            onDragEnd={() => (dragged.current = undefined)}
            onKeyDown={(event) => {
              const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
              if (step === undefined) return;
              event.preventDefault();
              move(i, i + step);
            }}
          >
            <PartHead
              part={part}
              place={{ i, count: parts.length }}
              onMove={(step) => move(i, i + step)}
              onRemove={() => (list.value = parts.toSpliced(i, 1))}
            />
            <PartFields
              part={part}
              wantsPassword={faulty?.index === i && faulty.code.startsWith("password")}
              onChange={(changes) => change(i, changes)}
            />
          </li>
        ))}
      </ol>
      <p class="hint">Drag a file, use its arrows, or press Alt with an arrow key, to change the order.</p>
      <p class="unseen" role="status">
        {said.value}
      </p>
    </>
  );
}

interface PartHeadProps {
  readonly part: MergePart;
  readonly place: { readonly i: number; readonly count: number };
  readonly onMove: (step: -1 | 1) => void;
  readonly onRemove: () => void;
}

function PartHead({ part: { file }, place: { i, count }, onMove, onRemove }: PartHeadProps) {
  return (
    <div class="part">
      <span class="number">{i + 1}</span>
      <span class="name">
        {file.name} <span class="hint">{sayBytes(file.size)}</span>
      </span>
      <PartButton icon="up" label={`Move ${file.name} up`} isOff={i === 0} onClick={() => onMove(-1)} />
      <PartButton
        icon="down"
        label={`Move ${file.name} down`}
        isOff={i === count - 1}
        onClick={() => onMove(1)}
      />
      <PartButton icon="close" label={`Remove ${file.name}`} onClick={onRemove} />
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
  // Not disabled: a button that has the focus and goes off would lose it.
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
  return (
    <div class="part-fields">
      <input
        class="code"
        value={range}
        placeholder="All pages"
        aria-label={`Pages of ${file.name}, such as 1-3,7,end`}
        autocomplete="off"
        onInput={(event) => onChange({ range: event.currentTarget.value })}
      />
      {(wantsPassword || password !== "") && (
        <input
          class="code"
          type="password"
          value={password}
          placeholder="Its password"
          aria-label={`Password of ${file.name}`}
          autocomplete="off"
          onInput={(event) => onChange({ password: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
