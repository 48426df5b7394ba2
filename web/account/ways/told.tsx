import { formatNumber, formatTime } from "../../app/language/format.ts";
import { fill, words } from "../../app/language/words.ts";
import { Note } from "../../parts/note.tsx";
import type { OwnAccount } from "../load-member.ts";

const WEEK_MS = 604_800_000;

/** What the owner of an account has to hear: its recovery, and wrong codes of somebody who knows the password. */
export function Told({ me }: { me: Pick<OwnAccount, "recovered" | "enrolFrom" | "wrongCodes"> }) {
  const t = words().account.told;
  const { recovered, enrolFrom, wrongCodes } = me;
  const isRecent = recovered !== null && Date.now() - Date.parse(recovered) < WEEK_MS;
  return (
    <>
      {isRecent && <Note kind="warn">{fill(t.recovered, { time: formatTime(recovered) })}</Note>}
      {enrolFrom !== null && <Note>{fill(t.enrolFrom, { time: formatTime(enrolFrom) })}</Note>}
      {wrongCodes > 0 && <Note kind="warn">{fill(t.wrongCodes, { count: formatNumber(wrongCodes) })}</Note>}
    </>
  );
}
