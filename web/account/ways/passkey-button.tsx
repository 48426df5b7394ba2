import { useSignal } from "@preact/signals";
import { startAuthentication } from "@simplewebauthn/browser";
import { useSender } from "../../api/loader.ts";
import { server } from "../../api/server.ts";
import { words } from "../../app/language/words.ts";
import { instance } from "../../app/instance.ts";
import { Note } from "../../parts/note.tsx";
import { MemberFailure } from "../member-failure.tsx";

/** Whether both this instance and this browser support passkeys. */
export function hasPasskeys(): boolean {
  return instance.value.login.includes("passkey") && "PublicKeyCredential" in globalThis;
}

/** Logs in with any passkey that the person chooses. */
export function PasskeyButton({ onLogin }: { onLogin: (entered: { id: string }) => void }) {
  const t = words().account.passkeys;
  const isUnused = useSignal(false);
  const { isBusy, failure, send } = useSender();
  const enter = () =>
    send(async () => {
      isUnused.value = false;
      const response = await usePasskey(await server.account.beginPasskeyLogin.mutate({}));
      if (!response) return void (isUnused.value = true);
      const { id } = await server.account.passkeyLogin.mutate({ response });
      onLogin({ id });
    });
  return (
    <>
      <button type="button" aria-busy={isBusy.value} onClick={() => void enter()}>
        {t.login}
      </button>
      {failure.value && <MemberFailure failure={failure.value} />}
      {isUnused.value && <Note kind="bad">{t.unused}</Note>}
    </>
  );
}

async function usePasskey(options: object) {
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]["optionsJSON"];
  const signed = await startAuthentication({ optionsJSON }).catch(() => undefined);
  return signed && { ...signed, response: { ...signed.response } };
}
