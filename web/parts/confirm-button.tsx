import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useLostFocus } from "../app/focus.ts";
import { linkWords } from "../app/language/words.ts";

/** A button for what cannot be undone, which asks before it acts. */
export function ConfirmButton({
  action,
  confirm,
  label,
  onConfirm,
}: {
  /** The text of the button, and of the one that confirms. */
  action: string;
  confirm: string;
  /** For screen readers, where the button's text alone does not say what it deletes. */
  label?: string;
  onConfirm: () => void;
}) {
  const isAsking = useSignal(false);
  if (!isAsking.value) {
    return <Question action={action} label={label} onAsk={() => (isAsking.value = true)} />;
  }
  const finish = (isConfirmed: boolean) => {
    isAsking.value = false;
    if (isConfirmed) onConfirm();
  };
  return <Confirmation label={label ?? action} confirm={confirm} onAnswer={finish} />;
}

function Question({
  action,
  label,
  onAsk,
}: {
  action: string;
  label: string | undefined;
  onAsk: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useLostFocus(button);
  return (
    <button ref={button} type="button" class="small danger" aria-label={label} onClick={onAsk}>
      {action}
    </button>
  );
}

function Confirmation({
  label,
  confirm,
  onAnswer,
}: {
  label: string;
  confirm: string;
  onAnswer: (isConfirmed: boolean) => void;
}) {
  const no = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useLayoutEffect(() => no.current?.focus(), []);
  return (
    <div class="actions" role="group" aria-label={label}>
      <button type="button" class="small danger" onClick={() => onAnswer(true)}>
        {confirm}
      </button>
      <button ref={no} type="button" class="small quiet" onClick={() => onAnswer(false)}>
        {linkWords().common.no}
      </button>
    </div>
  );
}
