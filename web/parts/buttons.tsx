import type { ComponentChildren } from "preact";
import { isApple } from "../app/browser.ts";
import { linkWords } from "../app/language/words.ts";
import { Seal, Icon } from "./icon.tsx";

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
