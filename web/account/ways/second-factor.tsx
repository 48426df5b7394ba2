import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useSender } from "../../api/loader.ts";
import { server } from "../../api/server.ts";
import { words } from "../../app/language/words.ts";
import { CodeField, ConfirmationFields, useConfirmation } from "./confirmation.tsx";
import { CancelButton } from "../../parts/buttons.tsx";
import { CopyableSecret } from "../../parts/field.tsx";
import type { OwnAccount } from "../current-session.tsx";
import { MemberFailure } from "../member-failure.tsx";
import { QrCode } from "../../parts/qr.tsx";

/** Sets up an authenticator app, or removes it. */
export function SecondFactor({
  me,
  onChanged,
}: {
  me: OwnAccount;
  /** The account must be loaded again. */
  onChanged: () => void;
}) {
  const t = words().account.totp;
  return (
    <section class="panel" aria-labelledby="second-factor">
      <h2 id="second-factor">{t.title}</h2>
      <p class="hint">{me.hasTotp ? t.on : t.lead}</p>
      {me.hasTotp && me.needsSecondFactor && <ConfirmCode label={t.loginCode} onConfirmed={onChanged} />}
      {me.hasTotp ? <EndTotp me={me} onEnded={onChanged} /> : <BeginTotp me={me} onConfirmed={onChanged} />}
    </section>
  );
}

function BeginTotp({ me, onConfirmed }: { me: OwnAccount; onConfirmed: () => void }) {
  const t = words().account.totp;
  const key = useSignal<{ readonly secret: string; readonly uri: string } | undefined>(undefined);
  const { isBusy, failure, send } = useSender();
  const confirmation = useConfirmation(me);
  const begin = () =>
    send(() =>
      confirmation.run(async (given) => void (key.value = await server.account.beginTotp.mutate(given))),
    );
  if (!key.value) {
    return (
      <form class="stack" onSubmit={() => void begin()}>
        <ConfirmationFields confirmation={confirmation} failure={failure.value} />
        <div class="actions">
          <button aria-busy={isBusy.value}>{t.begin}</button>
        </div>
      </form>
    );
  }
  return (
    <ConfirmCode label={t.code} onConfirmed={onConfirmed} onCancel={() => (key.value = undefined)}>
      <p>{t.scan}</p>
      <QrCode text={key.value.uri} label={t.qrLabel} />
      <CopyableSecret value={key.value.secret} />
    </ConfirmCode>
  );
}

/** Takes a code: the first one of an app, or one that makes a login of one factor strong. */
function ConfirmCode({
  label,
  onConfirmed,
  onCancel,
  children,
}: {
  label: string;
  onConfirmed: () => void;
  onCancel?: () => void;
  children?: ComponentChildren;
}) {
  const t = words().account.totp;
  const code = useSignal("");
  const { isBusy, failure, send } = useSender();
  const confirm = async () => {
    if (await send(() => server.account.confirmTotp.mutate({ code: code.value }))) onConfirmed();
  };
  return (
    <form class="stack" onSubmit={() => void confirm()}>
      {children}
      <CodeField label={label} value={code} failure={failure.value} />
      {failure.value && <MemberFailure failure={failure.value} />}
      <div class="actions">
        <button class="primary" aria-busy={isBusy.value}>
          {t.confirm}
        </button>
        {onCancel && <CancelButton onClick={onCancel} />}
      </div>
    </form>
  );
}

function EndTotp({ me, onEnded }: { me: OwnAccount; onEnded: () => void }) {
  const t = words().account.totp;
  // A code is asked for too, where the last login with one was some time ago.
  const confirmation = useConfirmation(me, { isAlways: true });
  const { isBusy, failure, send } = useSender();
  const end = async () => {
    const isEnded = await send(() => confirmation.run((given) => server.account.endTotp.mutate(given)));
    if (isEnded) onEnded();
  };
  return (
    <details>
      <summary>{t.end}</summary>
      <form class="stack" onSubmit={() => void end()}>
        <p class="hint">{t.endLost}</p>
        <ConfirmationFields confirmation={confirmation} failure={failure.value} />
        <div class="actions">
          <button class="danger" aria-busy={isBusy.value}>
            {t.end}
          </button>
        </div>
      </form>
    </details>
  );
}
