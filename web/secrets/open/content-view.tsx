import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { linkWords } from "../../app/language/words.ts";
import { useUnsaved } from "../../app/unsaved.tsx";
import { useObjectUrl } from "../../files/object-url.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";

/** A text whose only copy is on this page. */
export function ContentView({ text, label }: { text: string; label: string }) {
  const box = useRef<HTMLPreElement>(null);
  const isSaved = useSignal(false);
  const markSaved = () => (isSaved.value = true);
  useLayoutEffect(() => box.current?.focus(), [text]);
  useUnsaved("secret", !isSaved.value);
  return (
    <>
      {/* Always a text node, as the content may be HTML. */}
      <pre
        ref={box}
        class="secret"
        role="region"
        aria-label={label}
        tabIndex={0}
        translate={false}
        onCopy={() => String(getSelection()).trim().length >= text.trim().length && markSaved()}
      >
        {text}
      </pre>
      <div class="actions">
        <CopyButton kind="primary" text={() => text} onCopied={markSaved} />
        <SaveText text={text} onSaved={markSaved} />
      </div>
    </>
  );
}

function SaveText({ text, onSaved }: { text: string; onSaved: () => void }) {
  const file = useRef<Blob | undefined>(undefined);
  file.current ??= new Blob([text], { type: "text/plain;charset=utf-8" });
  return (
    <a class="button" href={useObjectUrl(file.current)} download="secret.txt" onClick={onSaved}>
      <Icon name="download" />
      {linkWords().opened.save}
    </a>
  );
}
