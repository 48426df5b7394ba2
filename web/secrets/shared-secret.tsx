import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { SERVER_URL } from "../app/base.ts";
import { PageHead } from "../app/shell.tsx";
import { confirmLeave, useUnsaved } from "../app/unsaved.tsx";
import { words } from "../app/words.ts";
import { CopyButton, CurlCommand } from "../parts/copy.tsx";
import { CopyableSecret } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { QrCode } from "./qr.tsx";
import { StatusPanel, useSecretState } from "./secret-status.tsx";
import type { CreatedSecret } from "./share.ts";

/** The new link, and the state of its secret. */
export function SharedSecret({ shared, onAnother }: { shared: CreatedSecret; onAnother: () => void }) {
  const state = useSecretState(shared);
  const t = words().shared;
  const isCopied = useSignal(false);
  const isActive = state.value.status === "active";
  useUnsaved("link", isActive && !isCopied.value);
  const shareAnother = async () => {
    if (await confirmLeave()) onAnother();
  };
  return (
    <section class="page">
      <PageHead title={t.title}>{t.lead}</PageHead>
      <LinkPanel shared={shared} isActive={isActive} onCopied={() => (isCopied.value = true)} />
      {shared.passphrase && isActive && <PassphrasePanel passphrase={shared.passphrase} />}
      <StatusPanel shared={shared} state={state} />
      <OtherSide shared={shared} />
      {shared.sealing === "server" && <CurlCommand line={revealLine(shared)}>{t.command}</CurlCommand>}
      <div class="actions">
        <button type="button" onClick={() => void shareAnother()}>
          <Icon name="share" />
          {t.another}
        </button>
      </div>
    </section>
  );
}

interface LinkPanelProps {
  readonly shared: CreatedSecret;
  readonly isActive: boolean;
  readonly onCopied: () => void;
}

function LinkPanel({ shared: { url }, isActive, onCopied }: LinkPanelProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <div class="panel">
      <div class="link">
        <input
          ref={field}
          class="code"
          readOnly
          value={url}
          aria-label={words().shared.link}
          onFocus={(event) => event.currentTarget.select()}
          onCopy={onCopied}
        />
        <CopyButton kind="primary" text={() => url} label={words().shared.copy} onCopied={onCopied} />
      </div>
      {isActive && (
        <details onToggle={onCopied}>
          <summary>{words().shared.qr}</summary>
          <QrCode text={url} />
        </details>
      )}
    </div>
  );
}

function PassphrasePanel({ passphrase }: { passphrase: string }) {
  return (
    <section class="panel" aria-labelledby="passphrase">
      <h2 id="passphrase">{words().shared.passphrase}</h2>
      <CopyableSecret value={passphrase} />
      <p class="hint">{words().shared.passphraseHint}</p>
    </section>
  );
}

function OtherSide({ shared: { passphrase } }: { shared: CreatedSecret }) {
  const { shared: t, reveal, pages } = words();
  return (
    <details>
      <summary>{t.preview}</summary>
      <div class="preview">
        <p>
          <strong>{pages.reveal.title}</strong>
        </p>
        <p>{reveal.lead}</p>
        {passphrase && <p>{t.previewPassphrase}</p>}
        <p class="fake-button">{reveal.submit}</p>
        <p class="hint">{t.previewHint}</p>
      </div>
    </details>
  );
}

function revealLine({ id, key, passphrase }: CreatedSecret): string {
  const field = passphrase ? ` --data-urlencode "passphrase=$PASSPHRASE"` : "";
  return `curl -d key=${key}${field} '${SERVER_URL}/api/secrets/${id}/reveal?raw=true'`;
}
