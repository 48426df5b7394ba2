import { CopyButton } from "../parts/copy.tsx";
import { useUnsaved } from "../app/unsaved.tsx";
import { PageHead } from "../app/shell.tsx";

/** Shown once, right after it was created. */
export function RecoveryCode({ code, onKept }: { code: string; onKept: () => void }) {
  useUnsaved("recoveryCode", true);
  return (
    <>
      <PageHead title="Keep this recovery code">
        It sets a new password when you have lost yours. There is no mail to do that, and it is shown only
        now.
      </PageHead>
      <output class="password">{code}</output>
      <div class="actions">
        <CopyButton kind="primary" text={() => code} label="Copy the code" />
        <button type="button" onClick={onKept}>
          I have kept it
        </button>
      </div>
    </>
  );
}
