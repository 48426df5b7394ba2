import { useSignal } from "@preact/signals";
import { linkWords } from "../../app/language/words.ts";

/** How long the server keeps what was opened, and the button with which it is deleted at once. */
export function Receipt({ confirm }: { confirm: () => Promise<unknown> }) {
  const isDeleted = useSignal(false);
  const isBusy = useSignal(false);
  const t = linkWords().opened;
  const receive = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    // Where the server cannot be told, the sentence that stands here stays true.
    isDeleted.value = await confirm().then(
      () => true,
      () => false,
    );
    isBusy.value = false;
  };
  return (
    <div class="stack">
      <p class="hint" role="status">
        {isDeleted.value ? t.deleted : t.kept}
      </p>
      {!isDeleted.value && (
        <div class="actions">
          <button type="button" aria-busy={isBusy.value} onClick={() => void receive()}>
            {t.received}
          </button>
        </div>
      )}
    </div>
  );
}
