import "../style/dialogs.css";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../app/language/words.ts";
import { loadMember } from "./load-member.ts";
import { LoginForm } from "./login-form.tsx";
import { RecoveryCode } from "./recovery-code.tsx";

/** Logs in over a page that stays as it is. */
export function LoginDialog({ onLogin, onClose }: { onLogin: () => void; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const code = useSignal<string | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const finish = () => {
    onLogin();
    dialog.current?.close();
  };
  const enter = (recoveryCode?: string) => {
    code.value = recoveryCode;
    if (recoveryCode === undefined) finish();
    // What members may send from here is for the page to know, and no reason to stay.
    loadMember().catch(() => undefined);
  };
  useEffect(() => {
    // The organisation's provider, or the person, has opened another tab for it.
    const look = async () => {
      const isIn = (await loadMember().catch(() => undefined)) !== undefined;
      if (isIn && code.peek() === undefined) finish();
    };
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  return (
    <dialog
      ref={dialog}
      class="choice"
      aria-label={words().members.login}
      onCancel={(event) => {
        // The recovery code is shown only once.
        if (code.peek() !== undefined) event.preventDefault();
      }}
      onClose={onClose}
    >
      {code.value === undefined ? (
        <>
          <h2 tabIndex={-1} autofocus>
            {words().members.login}
          </h2>
          <LoginForm onLogin={enter} isBeside />
          <div class="actions">
            <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
              {words().common.cancel}
            </button>
          </div>
        </>
      ) : (
        <RecoveryCode code={code.value} onKept={finish} />
      )}
    </dialog>
  );
}
