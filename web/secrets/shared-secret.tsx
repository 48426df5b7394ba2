import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { PageHead } from "../app/shell.tsx";
import { confirmLeave, useUnsaved } from "../app/unsaved.tsx";
import { CopyButton, CurlCommand } from "../parts/copy.tsx";
import { CopyableSecret } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { QrCode } from "./qr.tsx";
import { StatusPanel, useSecretState } from "./secret-status.tsx";
import type { CreatedSecret } from "./share.ts";

/** The new link, and the state of its secret. */
export function SharedSecret({ shared, onAnother }: { shared: CreatedSecret; onAnother: () => void }) {
  const state = useSecretState(shared);
  const isCopied = useSignal(false);
  const isActive = state.value.status === "active";
  useUnsaved("link", isActive && !isCopied.value);
  const shareAnother = async () => {
    if (await confirmLeave()) onAnother();
  };
  return (
    <section class="page">
      <PageHead title="Pass on this link">It opens once. Copy it now: it is shown only here.</PageHead>
      <LinkPanel shared={shared} isActive={isActive} onCopied={() => (isCopied.value = true)} />
      {shared.passphrase && isActive && <PassphrasePanel passphrase={shared.passphrase} />}
      <StatusPanel shared={shared} state={state} />
      <OtherSide shared={shared} />
      {shared.sealing === "server" && (
        <CurlCommand line={revealLine(shared)}>They can also read it without a browser.</CurlCommand>
      )}
      <div class="actions">
        <button type="button" onClick={() => void shareAnother()}>
          <Icon name="share" />
          Share another secret
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
          aria-label="The link"
          onFocus={(event) => event.currentTarget.select()}
          onCopy={onCopied}
        />
        <CopyButton kind="primary" text={() => url} label="Copy link" onCopied={onCopied} />
      </div>
      {isActive && (
        <details onToggle={onCopied}>
          <summary>QR code</summary>
          <QrCode text={url} />
        </details>
      )}
    </div>
  );
}

function PassphrasePanel({ passphrase }: { passphrase: string }) {
  return (
    <section class="panel" aria-labelledby="passphrase">
      <h2 id="passphrase">The passphrase</h2>
      <CopyableSecret value={passphrase} />
      <p class="hint">They need it too. Send it some other way than the link, such as by phone.</p>
    </section>
  );
}

function OtherSide({ shared: { passphrase, sealing } }: { shared: CreatedSecret }) {
  return (
    <details>
      <summary>What the other side sees</summary>
      <div class="preview">
        <p>
          <strong>A secret for you</strong>
        </p>
        <p>It can be read once. Nothing has been read yet.</p>
        {passphrase && <p>Then a field for the passphrase, with the number of tries left.</p>}
        <p class="fake-button">Reveal the secret</p>
        <p class="hint">
          {sealing === "here"
            ? "Opening the page reads nothing, so a chat that previews links uses nothing up. The text is decrypted in their browser."
            : "Opening the page reads nothing, so a chat that previews links uses nothing up."}
        </p>
      </div>
    </details>
  );
}

function revealLine({ id, key, passphrase }: CreatedSecret): string {
  const field = passphrase ? ` --data-urlencode "passphrase=$PASSPHRASE"` : "";
  return `curl -d key=${key}${field} '${location.origin}/api/secrets/${id}/reveal?raw=true'`;
}
