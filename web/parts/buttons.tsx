import type { ComponentChildren } from "preact";
import { isApple } from "../app/browser.ts";
import { fill, linkWords, words } from "../app/language/words.ts";
import { Seal, Icon } from "./icon.tsx";
import type { SortedItem } from "./sorting.ts";

/** The main button of a page, with the keys that press it from wherever the focus is (startMainAction). */
export function MainButton({
  disabled = false,
  isRunning = false,
  isSeal = false,
  children,
}: {
  disabled?: boolean;
  /** While the work runs the button keeps the focus. */
  isRunning?: boolean;
  /** Whether it seals a letter: then it is the seal, beside its words where there is room. */
  isSeal?: boolean;
  children: ComponentChildren;
}) {
  const { control, enter } = isApple() ? { control: "⌘", enter: "↩" } : linkWords().common.keys;
  return (
    <>
      <button
        class={isSeal ? "primary sealing" : "primary"}
        disabled={disabled}
        aria-disabled={isRunning ? true : undefined}
        aria-keyshortcuts={isApple() ? "Meta+Enter" : "Control+Enter"}
      >
        {children}
        {isSeal && <Seal />}
      </button>
      {/* The attribute tells screen readers. */}
      <span class="keys" aria-hidden="true">
        <kbd>{control}</kbd> <kbd>{enter}</kbd>
      </span>
    </>
  );
}

/** Leaves things as they were. */
export function CancelButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="quiet" onClick={onClick}>
      {linkWords().common.cancel}
    </button>
  );
}

/** The buttons that move an item of a sorted list by one place. */
export function StepButtons({
  item: { place, count, step },
  name,
  children,
}: {
  item: SortedItem;
  name: string;
  /** Shown between them. */
  children?: ComponentChildren;
}) {
  const t = words().order;
  return (
    <>
      <PartButton icon="up" label={fill(t.up, { name })} isOff={place === 0} onClick={() => step(-1)} />
      {children}
      <PartButton
        icon="down"
        label={fill(t.down, { name })}
        isOff={place === count - 1}
        onClick={() => step(1)}
      />
    </>
  );
}

/** A small button of an item in a list. */
export function PartButton({
  icon,
  label,
  isOff,
  onClick,
}: {
  icon: "up" | "down" | "close";
  label: string;
  isOff?: boolean;
  onClick: () => void;
}) {
  // Not disabled, because a focused button would lose the focus.
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
