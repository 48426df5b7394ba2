import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { linkWords } from "../app/language/words.ts";

/** A button for what cannot be undone: it asks before it acts. */
export function ConfirmButton({
  action,
  confirm,
  label,
  onConfirm,
}: {
  /** The text of the button, and of the one that is clicked to confirm. */
  action: string;
  confirm: string;
  /** For screen readers, where the text of the button alone does not say what it deletes. */
  label?: string;
  onConfirm: () => void;
}) {
  const isAsking = useSignal(false);
  if (!isAsking.value) {
    return (
      <button type="button" class="small danger" aria-label={label} onClick={() => (isAsking.value = true)}>
        {action}
      </button>
    );
  }
  const finish = (isConfirmed: boolean) => {
    isAsking.value = false;
    if (isConfirmed) onConfirm();
  };
  return <Confirmation confirm={confirm} onAnswer={finish} />;
}

function Confirmation({ confirm, onAnswer }: { confirm: string; onAnswer: (isConfirmed: boolean) => void }) {
  const keep = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => keep.current?.focus(), []);
  return (
    <div class="actions">
      <button type="button" class="small danger" onClick={() => onAnswer(true)}>
        {confirm}
      </button>
      <button ref={keep} type="button" class="small quiet" onClick={() => onAnswer(false)}>
        {linkWords().common.keep}
      </button>
    </div>
  );
}
