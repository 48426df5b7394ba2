import "../../style/account.css";
import { CopyButton } from "../../parts/copy.tsx";
import { useUnsaved } from "../../app/unsaved.tsx";
import { words } from "../../app/language/words.ts";
import { PageHead } from "../../app/shell.tsx";
import { EndedWays, type Ended } from "./ways-in.tsx";

/** Four letters each: what is written down or read aloud keeps its place. Copied or selected it has no spaces. */
function groupsOf(code: string): readonly string[] {
  return code.match(/.{1,4}/gs) ?? [];
}

/** Shown once, right after it was created, beside what a recovery has ended. */
export function RecoveryCode({
  code,
  ended,
  onKept,
}: {
  code: string;
  ended?: Ended | undefined;
  onKept: () => void;
}) {
  const t = words().account.recovery;
  useUnsaved("recoveryCode", true);
  return (
    <>
      <PageHead title={t.title}>{t.lead}</PageHead>
      <output class="recovery-code">
        {groupsOf(code).map((group, place) => (
          <span key={place}>{group}</span>
        ))}
      </output>
      {ended && <EndedWays {...ended} />}
      <div class="actions">
        <CopyButton kind="primary" text={() => code} label={t.copy} />
        <button type="button" onClick={onKept}>
          {t.kept}
        </button>
      </div>
    </>
  );
}
