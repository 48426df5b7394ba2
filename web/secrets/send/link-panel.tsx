import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../../app/language/words.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { LinkActions } from "./link-actions.tsx";
import { QrCode } from "../../parts/qr.tsx";

/** A new link, selected, with a button that copies it. */
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
  const field = useRef<HTMLInputElement>(null);
  const link = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isSecond) return;
    field.current?.select();
    // In a window too low for all of it, with its button rather than with the head of the page.
    link.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div class="panel">
      {children}
      <div ref={link} class="link">
        <input
          ref={field}
          class="code"
          readOnly
          value={url}
          aria-label={label}
          onFocus={(event) => event.currentTarget.select()}
          onCopy={onCopied}
        />
        <CopyButton kind={isSecond ? "" : "primary"} text={() => url} label={copy} onCopied={onCopied} />
      </div>
      {sentence && <LinkActions url={url} sentence={sentence} onCopied={onCopied} />}
      {hasQr && (
        <details onToggle={onCopied}>
          <summary>{words().shared.qr}</summary>
          <QrCode text={url} label={words().shared.qrLabel} />
        </details>
      )}
    </div>
  );
}
