import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../../app/language/words.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";
import { QrCode } from "../../parts/qr.tsx";

function selectAll(part: Element | null): void {
  if (part) getSelection()?.selectAllChildren(part);
}

/** Whether all of a text is selected, so that a copy by hand takes all of it. */
function isSelected(text: string): boolean {
  return String(getSelection()).trim() === text;
}

/**
 * A new link, selected, with a button that copies it: shown are the part that a server sees and, in wax, the part that
 * it never sees.
 */
export function LinkPanel(props: {
  url: string;
  label: string;
  /** The text of the button. */
  copy: string;
  /** For a link to pass on: the sentence that goes with it in a message. */
  sentence?: string;
  hasQr?: boolean;
  isSecond?: boolean;
  onCopied: () => void;
  children?: ComponentChildren;
}) {
  const { url, label, copy, sentence, hasQr, isSecond, onCopied, children } = props;
  const chip = useRef<HTMLParagraphElement>(null);
  const link = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isSecond) return;
    selectAll(chip.current);
    // In a window too low for all of it, shows the link with its button rather than the head of the page.
    link.current?.scrollIntoView({ block: "nearest" });
  }, []);
  // What follows the number sign stays in browsers; a token contains nothing that a server would be sent with it.
  const cut = url.indexOf("#") + 1;
  const isWide = matchMedia("(min-width: 900px)").matches;
  return (
    <div class={hasQr ? "panel with-qr" : "panel"}>
      <div class="stack">
        {children}
        <div ref={link} class="link">
          <p
            ref={chip}
            class="chip code"
            role="textbox"
            aria-readonly="true"
            aria-label={label}
            tabIndex={0}
            translate={false}
            onFocus={(event) => selectAll(event.currentTarget)}
            onCopy={() => isSelected(url) && onCopied()}
          >
            {url.slice(0, cut)}
            <b>{url.slice(cut)}</b>
          </p>
          <CopyButton kind={isSecond ? "" : "primary"} text={() => url} label={copy} onCopied={onCopied} />
        </div>
        {sentence && (
          <div class="actions">
            <CopyButton
              text={() => `${sentence}\n${url}`}
              label={words().shared.copyMessage}
              onCopied={onCopied}
            />
            {"share" in navigator && <ShareButton url={url} sentence={sentence} onCopied={onCopied} />}
          </div>
        )}
      </div>
      {hasQr && (
        <details open={isWide} onToggle={isWide ? undefined : onCopied}>
          <summary>{words().shared.qr}</summary>
          <QrCode text={url} label={words().shared.qrLabel} />
        </details>
      )}
    </div>
  );
}

/** Shares a link together with what its recipient needs to know, in a sentence before it. */
function ShareButton({ url, sentence, onCopied }: { url: string; sentence: string; onCopied: () => void }) {
  const isFailed = useSignal(false);
  const share = async () => {
    isFailed.value = false;
    try {
      await navigator.share({ text: sentence, url });
      onCopied();
    } catch (error) {
      // Somebody who closes the list of programs knows that nothing was shared.
      isFailed.value = !(error instanceof DOMException && error.name === "AbortError");
    }
  };
  return (
    <button type="button" onClick={() => void share()}>
      <Icon name="share" />
      <span aria-live="polite">{isFailed.value ? words().common.copyFailed : words().shared.share}</span>
    </button>
  );
}
