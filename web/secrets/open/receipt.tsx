import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount, linkWords } from "../../app/language/words.ts";

const KEPT_MINUTES = 10;
const MINUTE_MS = 60_000;
const TICK_MS = 5000;

/**
 * The minutes left to open it here. A claim lasts ten minutes after the last request; this counts from when the page is
 * shown, which is later.
 */
function useMinutesLeft(): Signal<number> {
  const left = useSignal(KEPT_MINUTES);
  useEffect(() => {
    const end = Date.now() + KEPT_MINUTES * MINUTE_MS;
    // A closed lid stops a page's timers, but not the server's clock.
    const timer = setInterval(() => {
      left.value = Math.max(0, Math.ceil((end - Date.now()) / MINUTE_MS));
      if (left.value === 0) clearInterval(timer);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return left;
}

/** Says how long the server keeps what was opened, with a button that deletes it at once. */
export function Receipt({ confirm }: { confirm: () => Promise<unknown> }) {
  const isDeleted = useSignal(false);
  const isBusy = useSignal(false);
  const end = useRef<HTMLParagraphElement>(null);
  const t = linkWords().opened;
  const left = useMinutesLeft();
  const isOver = isDeleted.value || left.value === 0;
  const receive = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    // If the request fails, the sentence stays true: the server deletes it when the time is over.
    isDeleted.value = await confirm().then(
      () => true,
      () => false,
    );
    isBusy.value = false;
    // The button that had the focus is gone.
    if (isDeleted.value) end.current?.focus();
  };
  return (
    <div class="stack">
      {/* Counting down aloud would interrupt a screen reader that reads the secret. */}
      {!isOver && <p class="hint">{formatCount(left.value, t.keptFor)}</p>}
      <p ref={end} class="hint" role="status" tabIndex={-1}>
        {isOver ? t.deleted : undefined}
      </p>
      {!isOver && (
        <div class="actions">
          <button type="button" aria-busy={isBusy.value} onClick={() => void receive()}>
            {t.received}
          </button>
        </div>
      )}
    </div>
  );
}
