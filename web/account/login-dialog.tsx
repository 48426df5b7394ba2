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
  const enter = async (recoveryCode?: string) => {
    await loadMember();
    if (recoveryCode === undefined) finish();
    else code.value = recoveryCode;
  };
  useEffect(() => {
    // The organisation's provider, or the person, has opened another tab for it.
    const look = async () => {
      if (await loadMember().catch(() => undefined)) finish();
    };
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  return (
    <dialog ref={dialog} class="choice" aria-labelledby="login-title" onClose={onClose}>
      {code.value === undefined ? (
        <>
          <h2 id="login-title" tabIndex={-1} autofocus>
            {words().members.login}
          </h2>
          <LoginForm onLogin={(recoveryCode) => void enter(recoveryCode)} isBeside />
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
