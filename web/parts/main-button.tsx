import type { ComponentChildren } from "preact";
import { isApple } from "../app/keyboard.ts";
import { linkWords } from "../app/language/words.ts";

/** The button for the main thing of a page, with the keys that press it from wherever the focus is (main-action.ts). */
export function MainButton({
  disabled = false,
  isRunning = false,
  children,
}: {
  disabled?: boolean;
  /** The work runs; the button keeps the focus. */
  isRunning?: boolean;
  children: ComponentChildren;
}) {
  const { control, enter } = keys();
  return (
    <>
      <button
        class="primary"
        disabled={disabled}
        aria-disabled={isRunning ? true : undefined}
        aria-keyshortcuts={isApple() ? "Meta+Enter" : "Control+Enter"}
      >
        {children}
      </button>
      {/* The attribute tells screen readers. */}
      <span class="keys" aria-hidden="true">
        <kbd>{control}</kbd> <kbd>{enter}</kbd>
      </span>
    </>
  );
}

function keys(): { control: string; enter: string } {
  return isApple() ? { control: "⌘", enter: "↩" } : linkWords().common.keys;
}
