import { useSignal } from "@preact/signals";
import { useSender } from "../../api/loader.ts";
import { server } from "../../api/server.ts";
import { words } from "../../app/language/words.ts";
import { PageHead } from "../../app/shell.tsx";
import { SecretField } from "../../parts/field.tsx";
import { ConfirmationFields, useConfirmation } from "./confirmation.tsx";
import { Rule, wrongField } from "../member-failure.tsx";
import { RecoveryCode } from "./recovery-code.tsx";

const RULED = ["newPassword"];
/** An account whose password an administrator has set; the server says if it wants a code too. */
const WITH_PASSWORD = { hasPassword: true, hasTotp: false, hasIdentity: false };

/**
 * Replaces the password that an administrator has set, before anything else, and shows the recovery code that takes the place
 * of the one that the administrator knows.
 */
export function ChoosePassword({
  known,
  onChosen,
}: {
  /** That password, where it has just been typed. */
  known?: string | undefined;
  onChosen: () => void;
}) {
  const t = words().account;
  const newPassword = useSignal("");
  const recoveryCode = useSignal<string | undefined>(undefined);
  const confirmation = useConfirmation(WITH_PASSWORD, { isAlways: true, known });
  const { isBusy, failure, send } = useSender();
  const isWeak = wrongField(failure.value, RULED) !== undefined;
  const change = async (event: Event) => {
    event.preventDefault();
    await send(async () => {
      const input = { newPassword: newPassword.value };
      const changed = await confirmation.run((given) =>
        server.account.changePassword.mutate({ ...given, ...input }),
      );
      // There is none where it was chosen in another window.
      if (changed.recoveryCode === undefined) onChosen();
      else recoveryCode.value = changed.recoveryCode;
    });
  };
  if (recoveryCode.value !== undefined) return <RecoveryCode code={recoveryCode.value} onKept={onChosen} />;
  return (
    <>
      <PageHead title={t.choose.title}>{t.choose.lead}</PageHead>
      <form class="panel" onSubmit={(event) => void change(event)}>
        <SecretField
          label={t.newPassword}
          value={newPassword}
          autocomplete="new-password"
          isInvalid={isWeak}
          hint={<Rule isBroken={isWeak}>{t.choose.rule}</Rule>}
        />
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
