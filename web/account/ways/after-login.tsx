import { useSignal } from "@preact/signals";
import { ChoosePassword } from "./choose-password.tsx";
import { RecoveryCode } from "./recovery-code.tsx";
import type { Ended } from "./ways-in.tsx";

/** Who has logged in, and what comes before the account. */
export interface Entered {
  readonly id: string;
  /** A new one, which is shown only now. */
  readonly recoveryCode?: string | undefined;
  /** What a recovery has ended. */
  readonly ended?: Ended | undefined;
  /** The password that an administrator has set, to be replaced first. */
  readonly given?: string | undefined;
}

/** Whether there is something to show or to ask before the account. */
export function comesFirst({ recoveryCode, given }: Entered): boolean {
  return recoveryCode !== undefined || given !== undefined;
}

/** Shows it: the recovery code, then the choice of a password. */
export function AfterLogin({ entered, onDone }: { entered: Entered; onDone: () => void }) {
  const { recoveryCode, ended, given } = entered;
  const isKept = useSignal(recoveryCode === undefined);
  if (recoveryCode !== undefined && !isKept.value) {
    const keep = () => {
      if (given === undefined) onDone();
      else isKept.value = true;
    };
    return <RecoveryCode code={recoveryCode} ended={ended} onKept={keep} />;
  }
  return <ChoosePassword known={given} onChosen={onDone} />;
}
