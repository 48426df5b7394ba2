import "../style/dialogs.css";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { rememberMember } from "../api/limits.ts";
import { words } from "../app/language/words.ts";
import { clearPage, isCleared, isOthers, startAnew } from "../app/owner.ts";
import { CancelButton } from "../parts/buttons.tsx";
import { AfterLogin, comesFirst, type LoginResult } from "./ways/after-login.tsx";
import { loadMember } from "./current-session.tsx";
import { LoginForm } from "./login-form.tsx";

/** Logs in over a page. The page stays for the member who was there before; another member sees nothing of it. */
export function LoginDialog({ about: onLogin, onClose }: { about: () => void; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const entered = useSignal<LoginResult | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => {
    onLogin();
    dialog.current?.close();
  };
  const finish = (next: LoginResult) => {
    if (isCleared.peek()) startAnew(next);
    else close();
  };
  const enter = (next: LoginResult) => {
    if (isOthers(next.id)) clearPage();
    // From now on the page uses the limits of members.
    rememberMember(true, next);
    if (comesFirst(next)) entered.value = next;
    else finish(next);
  };
  useEffect(() => {
    // The organization's provider, or the person, has opened another tab for the login.
    const look = async () => {
      if (entered.peek() !== undefined) return;
      const isIn = (await loadMember().catch(() => undefined)) !== undefined;
      if (isIn && entered.peek() === undefined && !isCleared.peek()) close();
    };
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  const shown = entered.value;
  return (
    <dialog
      ref={dialog}
      class="choice"
      aria-label={words().members.login}
      // The recovery code is shown only once. Chromium closes at one of the next presses of Escape whatever `cancel`
      // says; Safari knows `cancel` alone.
      closedby={shown && "none"}
      onCancel={(event) => shown && event.preventDefault()}
      onClose={onClose}
    >
      {shown === undefined ? (
        <>
          <h2 tabIndex={-1} autofocus>
            {words().members.login}
          </h2>
          <LoginForm onLogin={enter} isBeside />
          <div class="actions">
            <CancelButton onClick={() => dialog.current?.close()} />
          </div>
        </>
      ) : (
        <AfterLogin entered={shown} onDone={() => finish(shown)} />
      )}
    </dialog>
  );
}
