import { computed, effect, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { linkWords } from "./language/words.ts";

/** What would be lost by leaving the page. */
type UnsavedThing =
  "secret" | "several" | "link" | "result" | "text" | "list" | "recoveryCode" | "token" | "file" | "keepLink";

interface Question {
  readonly about: UnsavedThing;
  readonly answer: (mayLeave: boolean) => void;
}

const unsaved = signal<readonly { readonly kind: UnsavedThing }[]>([]);
const question = signal<Question | undefined>(undefined);

/** Whether leaving the page would lose something. */
export const hasUnsaved = computed(() => unsaved.value.length > 0);

/**
 * Makes the browser ask before it closes the page, while that is needed. Only then there is a listener, because a page
 * with one cannot use the browser's back-forward cache.
 */
export function askBeforeUnload(isNeeded: () => boolean): void {
  const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  effect(() => {
    if (isNeeded()) addEventListener("beforeunload", preventUnload);
    else removeEventListener("beforeunload", preventUnload);
  });
}

askBeforeUnload(() => hasUnsaved.value);

/** Asks before the page is left, as long as `isUnsaved` is true. */
export function useUnsaved(kind: UnsavedThing, isUnsaved: boolean): void {
  // Before it is visible: somebody who goes back at once is asked too.
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined;
    const entry = { kind };
    unsaved.value = [...unsaved.peek(), entry];
    return () => {
      unsaved.value = unsaved.peek().filter((each) => each !== entry);
    };
  }, [kind, isUnsaved]);
}

/** Allows leaving the page without another question. */
export function dropUnsaved(): void {
  unsaved.value = [];
}

/** Asks before leaving the page, if that would lose something. */
export function confirmLeave(): Promise<boolean> {
  const first = unsaved.peek()[0];
  if (!first) return Promise.resolve(true);
  return new Promise((resolve) => {
    question.peek()?.answer(false);
    question.value = {
      about: first.kind,
      answer: (mayLeave) => {
        question.value = undefined;
        resolve(mayLeave);
      },
    };
  });
}

/** The dialog of confirmLeave. */
export function LeaveDialog() {
  return question.value ? <OpenDialog {...question.value} /> : null;
}

function OpenDialog({ about, answer }: Question) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const finish = (mayLeave: boolean) => {
    // Closing the dialog returns the focus; removing it would not.
    dialog.current?.close();
    answer(mayLeave);
  };
  const { title, stay, leave, reasons } = linkWords().unsaved;
  return (
    <dialog ref={dialog} aria-label={title} aria-describedby="leave-reason" onCancel={() => finish(false)}>
      <h2>{title}</h2>
      <p id="leave-reason">{reasons[about]}</p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => finish(false)}>
          {stay}
        </button>
        <button type="button" class="danger" onClick={() => finish(true)}>
          {leave}
        </button>
      </div>
    </dialog>
  );
}
