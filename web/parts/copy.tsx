import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface CopyProps {
  readonly text: () => string;
  readonly label?: string;
  readonly kind?: string;
  readonly onCopied?: () => void;
}

const MESSAGE_MS = 2500;

/** Copies a text, and confirms it. */
export function CopyButton({ text, label = "Copy", kind = "", onCopied }: CopyProps) {
  const message = useSignal("");
  async function copy() {
    const isCopied = await copyText(text());
    message.value = isCopied ? "Copied" : "Select the text and copy it yourself";
    if (isCopied) onCopied?.();
    setTimeout(() => (message.value = ""), MESSAGE_MS);
  }
  return (
    <button type="button" class={kind} onClick={() => void copy()}>
      <Icon name={message.value === "Copied" ? "check" : "copy"} />
      <span aria-live="polite">{message.value || label}</span>
    </button>
  );
}

// Over plain http there is no clipboard API; the old command still works.
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}

/** A shell command that does the same as the page. */
export function CurlCommand({ line, children }: { line: string; children?: ComponentChildren }) {
  return (
    <details class="curl">
      <summary>As a command</summary>
      {children && <p class="hint">{children}</p>}
      <pre tabIndex={0}>{line}</pre>
      <div class="actions">
        <CopyButton kind="small" text={() => line} label="Copy command" />
      </div>
    </details>
  );
}
