import "../../style/account.css";
import { useSignal, type Signal } from "@preact/signals";
import { type RecoveryEffect, EndedWays } from "./ways-in.tsx";
import type { Failure } from "../../api/failure.ts";
import { useSender } from "../../api/loader.ts";
import { server } from "../../api/server.ts";
import { words } from "../../app/language/words.ts";
import { memberName } from "../../app/owner.ts";
import { PageHead } from "../../app/shell.tsx";
import { SecretField } from "../../parts/field.tsx";
import { ConfirmationFields, useConfirmation } from "./confirmation.tsx";
import { Rule, wrongField } from "../member-failure.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { useUnsaved } from "../../app/unsaved.tsx";

/** A completed login, and what is shown before the account. */
export interface LoginResult {
  readonly id: string;
  readonly name?: string;
  /** A new recovery code, shown only now. */
  readonly recoveryCode?: string | undefined;
  /** What a recovery has ended. */
  readonly ended?: RecoveryEffect | undefined;
  /** The password of an administrator, to be replaced first. */
  readonly given?: string | undefined;
}

/** Whether something is shown or asked before the account. */
export function comesFirst({ recoveryCode, given }: LoginResult): boolean {
  return recoveryCode !== undefined || given !== undefined;
}

/** Shows the recovery code, and then the choice of a password. */
export function AfterLogin({ entered, onDone }: { entered: LoginResult; onDone: () => void }) {
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

/** The field of NewPasswordField, which has its rule below it. */
export const RULED = ["newPassword"];
/** An account with an administrator's password; the server says if it needs a code too. */
const WITH_PASSWORD = { hasPassword: true, hasTotp: false, hasIdentity: false };

/**
 * Replaces an administrator's password before anything else, and shows the new recovery code, because the administrator
 * knows the old one.
 */
export function ChoosePassword({
  known,
  onChosen,
}: {
  /** That password, where it was just typed. */
  known?: string | undefined;
  onChosen: () => void;
}) {
  const t = words().account;
  const newPassword = useSignal("");
  const recoveryCode = useSignal<string | undefined>(undefined);
  const confirmation = useConfirmation(WITH_PASSWORD, { isAlways: true, known });
  const { isBusy, failure, send } = useSender();
  const change = async () => {
    await send(async () => {
      const input = { newPassword: newPassword.value };
      const changed = await confirmation.run((given) =>
        server.account.changePassword.mutate({ ...given, ...input }),
      );
      // There is none where the password was chosen in another window.
      if (changed.recoveryCode === undefined) onChosen();
      else recoveryCode.value = changed.recoveryCode;
    });
  };
  if (recoveryCode.value !== undefined) return <RecoveryCode code={recoveryCode.value} onKept={onChosen} />;
  return (
    <>
      <PageHead title={t.choose.title}>{t.choose.lead}</PageHead>
      <form class="panel" onSubmit={() => void change()}>
        <NewPasswordField value={newPassword} failure={failure.value} rule={t.choose.rule} />
        <ConfirmationFields
          confirmation={confirmation}
          failure={failure.value}
          label={t.settings.current}
          atFields={RULED}
        />
        <div class="actions">
          <button class="primary" aria-busy={isBusy.value}>
            {t.submits.recover}
          </button>
        </div>
      </form>
    </>
  );
}

/** A new password for the account, whose name is there for password managers: else they store one without a name. */
export function NewPasswordField({
  value,
  failure,
  rule,
}: {
  value: Signal<string>;
  failure: Failure | undefined;
  rule: string;
}) {
  const isWeak = wrongField(failure, RULED) !== undefined;
  return (
    <>
      <input hidden readOnly autocomplete="username" value={memberName.value} />
      <SecretField
        label={words().account.newPassword}
        value={value}
        autocomplete="new-password"
        isInvalid={isWeak}
        hint={
          <Rule broken={isWeak ? failure : undefined} length={[...value.value].length}>
            {rule}
          </Rule>
        }
      />
    </>
  );
}

/** Groups of four letters, which are easier to write down or read aloud. Copied or selected, the code has no spaces. */
function groupsOf(code: string): readonly string[] {
  return code.match(/.{1,4}/gs) ?? [];
}

/** Shown once, right after it was created, with what a recovery has ended. */
function RecoveryCode({
  code,
  ended,
  onKept,
}: {
  code: string;
  ended?: RecoveryEffect | undefined;
  onKept: () => void;
}) {
  const t = words().account.recovery;
  useUnsaved("recoveryCode", true);
  return (
    <>
      <PageHead title={t.title}>{t.lead}</PageHead>
      <output class="recovery-code" translate={false}>
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
