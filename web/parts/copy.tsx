import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { linkWords } from "../app/language/words.ts";
import { Icon } from "./icon.tsx";

const MESSAGE_MS = 2500;

/** Copies a text, and confirms it. */
export function CopyButton({
  text,
  label = linkWords().common.copy,
  kind = "",
  onCopied,
}: {
  text: () => string;
  label?: string;
  kind?: string;
  onCopied?: () => void;
}) {
  const { copied, copyFailed } = linkWords().common;
  const outcome = useSignal<"copied" | "failed" | undefined>(undefined);
  async function copy(button: HTMLElement) {
    const isCopied = await copyText(text(), button);
    outcome.value = isCopied ? "copied" : "failed";
    if (isCopied) onCopied?.();
    setTimeout(() => (outcome.value = undefined), MESSAGE_MS);
  }
  return (
    <button type="button" class={kind} onClick={({ currentTarget }) => void copy(currentTarget)}>
      <Icon name={outcome.value === "copied" ? "check" : "copy"} />
      <span aria-live="polite">
        {outcome.value === "copied" ? copied : outcome.value === "failed" ? copyFailed : label}
      </span>
    </button>
  );
}

// Over plain http there is no clipboard API; the old command still works.
async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, button);
  }
}

function copyBySelection(text: string, button: HTMLElement): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  // Outside of the dialog on top nothing can be selected, and the command would copy something else.
  (button.closest("dialog") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  button.focus();
  return isCopied;
}

/** A shell command that does the same as the page. */
export function CurlCommand({ line, children }: { line: string; children?: ComponentChildren }) {
  return (
    <details class="curl">
      <summary>{linkWords().common.command}</summary>
      {children && <p class="hint">{children}</p>}
      <pre tabIndex={0} translate={false}>
        {line}
      </pre>
      <div class="actions">
        <CopyButton kind="small" text={() => line} label={linkWords().common.copyCommand} />
      </div>
    </details>
  );
}
