import { CopyButton } from "../parts/copy.tsx";
import { useUnsaved } from "../app/unsaved.tsx";
import { words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";

/** Shown once, right after it was created. */
export function RecoveryCode({ code, onKept }: { code: string; onKept: () => void }) {
  const t = words().account.recovery;
  useUnsaved("recoveryCode", true);
  return (
    <>
      <PageHead title={t.title}>{t.lead}</PageHead>
      <output class="password">{code}</output>
      <div class="actions">
        <CopyButton kind="primary" text={() => code} label={t.copy} />
        <button type="button" onClick={onKept}>
          {t.kept}
        </button>
      </div>
    </>
  );
}
