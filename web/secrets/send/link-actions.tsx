import { useSignal } from "@preact/signals";
import { words } from "../../app/language/words.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";

interface LinkActionsProps {
  readonly url: string;
  /** What the recipient has to know, in a sentence that the link follows. */
  readonly sentence: string;
  readonly onCopied: () => void;
}

/** Sends a link together with what its recipient has to know about it. */
export function LinkActions({ url, sentence, onCopied }: LinkActionsProps) {
  return (
    <div class="actions">
      <CopyButton text={() => `${sentence}\n${url}`} label={words().shared.copyMessage} onCopied={onCopied} />
      {"share" in navigator && <ShareButton url={url} sentence={sentence} onCopied={onCopied} />}
    </div>
  );
}

function ShareButton({ url, sentence, onCopied }: LinkActionsProps) {
  const isFailed = useSignal(false);
  const share = async () => {
    isFailed.value = false;
    try {
      await navigator.share({ text: sentence, url });
      onCopied();
    } catch (error) {
      // Whoever closes the list of programs has shared nothing, and knows it.
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
