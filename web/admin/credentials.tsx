import { useLayoutEffect, useRef } from "preact/hooks";
import { fill, words } from "../app/language/words.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { CopyableSecret } from "../parts/field.tsx";
import { Note } from "../parts/note.tsx";
import { EndedWays, type Ended } from "../account/ways/ways-in.tsx";

export interface MadeCredentials {
  readonly name: string;
  readonly password: string;
  readonly recoveryCode: string;
  /** What a reset has ended. */
  readonly ended?: Ended["ended"];
  readonly kept?: Ended["kept"];
}

/** What a member gets from an administrator, shown once. */
export function Credentials({ made, onKept }: { made: MadeCredentials; onKept: () => void }) {
  const { admin: t, account } = words();
  const { name, password, recoveryCode, ended, kept = [] } = made;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.focus(), [made]);
  useUnsaved("recoveryCode", true);
  const all = () =>
    [
      [account.name, name],
      [account.password, password],
      [account.recoveryCode, recoveryCode],
    ]
      .map((line) => line.join(": "))
      .join("\n");
  return (
    <div ref={place} role="status" tabIndex={-1}>
      <Note kind="good" title={fill(t.made, { name })}>
        <div class="stack">
          <p>{account.password}</p>
          <CopyableSecret value={password} />
          <p>{account.recoveryCode}</p>
          <CopyableSecret value={recoveryCode} />
          <p>{t.goodForADay}</p>
          {ended && <EndedWays ended={ended} kept={kept} />}
          <div class="actions">
            <CopyButton kind="primary" text={all} label={t.copyMade} />
            <button type="button" onClick={onKept}>
              {t.kept}
            </button>
          </div>
        </div>
      </Note>
    </div>
  );
}
