import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CopyButton, CurlCommand } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { FailureNote } from "../parts/job.tsx";
import { QrCode } from "./qr.tsx";
import { formatRelativeTime, formatTime } from "../app/format.ts";
import { server, describeError, type Failure } from "../api/server.ts";
import type { CreatedSecret } from "./share.ts";
import { PageHead } from "../app/shell.tsx";

interface SecretState {
  readonly status: "active" | "revealed" | "revoked" | "expired" | "locked";
  readonly closed: string | null;
}

/** The new link, and the state of its secret. */
export function SharedSecret({ shared, onAnother }: { shared: CreatedSecret; onAnother: () => void }) {
  const receipt = useSignal<SecretState>({ status: "active", closed: null });
  return (
    <section class="page">
      <PageHead title="Pass on this link">It opens once. Copy it now: it is shown only here.</PageHead>
      <LinkPanel shared={shared} isActive={receipt.value.status === "active"} />
      <StatusPanel shared={shared} receipt={receipt} />
      <OtherSide shared={shared} />
      {shared.sealing === "server" && (
        <CurlCommand line={revealLine(shared)}>They can also read it without a browser.</CurlCommand>
      )}
      <div class="actions">
        <button type="button" onClick={onAnother}>
          <Icon name="share" />
          Share another secret
        </button>
      </div>
    </section>
  );
}

function LinkPanel({ shared: { url }, isActive }: { shared: CreatedSecret; isActive: boolean }) {
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
        />
        <CopyButton kind="primary" text={() => url} label="Copy link" />
      </div>
      {isActive && (
        <details>
          <summary>QR code</summary>
          <QrCode text={url} />
        </details>
      )}
    </div>
  );
}

const POLL_MS = 10_000;

const TAGS = {
  active: ["good", "Not opened yet"],
  revealed: ["", "Opened"],
  revoked: ["bad", "Revoked"],
  expired: ["warn", "Expired"],
  locked: ["bad", "Locked after ten wrong passphrases"],
} as const satisfies Record<SecretState["status"], readonly [string, string]>;

function StatusPanel({ shared, receipt }: { shared: CreatedSecret; receipt: Signal<SecretState> }) {
  const failed = useSignal<Failure | undefined>(undefined);
  const { status, closed } = receipt.value;
  const load = async () => {
    const { id, revokeToken } = shared;
    try {
      receipt.value = await server.secrets.status.mutate({ id, revokeToken });
      failed.value = undefined;
    } catch (error) {
      failed.value = describeError(error);
    }
  };
  useEffect(() => {
    const timer = setInterval(() => {
      if (receipt.peek().status === "active" && !document.hidden) void load();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, []);
  const [kind, name] = TAGS[status];
  return (
    <div class="panel">
      <div class="status">
        <p role="status">
          <span class={`tag ${kind}`}>{name}</span>{" "}
          <span class="hint">
            {closed ? formatTime(closed) : `Deleted ${formatRelativeTime(shared.expiry)} if nobody opens it`}
          </span>
        </p>
        {status === "active" && (
          <div class="actions">
            <button type="button" class="small" onClick={() => void load()}>
              Check now
            </button>
            <RevokeButton shared={shared} receipt={receipt} failed={failed} />
          </div>
        )}
      </div>
      {failed.value && <FailureNote failure={failed.value} />}
    </div>
  );
}

interface RevokeProps {
  readonly shared: CreatedSecret;
  readonly receipt: Signal<SecretState>;
  readonly failed: Signal<Failure | undefined>;
}

function RevokeButton({ shared: { id, revokeToken }, receipt, failed }: RevokeProps) {
  const isAsked = useSignal(false);
  const revoke = async () => {
    try {
      const { status, closed } = await server.secrets.revoke.mutate({ id, revokeToken });
      receipt.value = { status, closed };
    } catch (error) {
      failed.value = describeError(error);
    }
  };
  if (!isAsked.value) {
    return (
      <button type="button" class="small danger" onClick={() => (isAsked.value = true)}>
        Revoke
      </button>
    );
  }
  return (
    <>
      <button type="button" class="small danger" onClick={() => void revoke()}>
        Yes, delete it
      </button>
      <button type="button" class="small quiet" onClick={() => (isAsked.value = false)}>
        Keep it
      </button>
    </>
  );
}

function OtherSide({ shared: { hasPassphrase, sealing } }: { shared: CreatedSecret }) {
  return (
    <details>
      <summary>What the other side sees</summary>
      <div class="preview">
        <p>
          <strong>A secret for you</strong>
        </p>
        <p>It can be read once. Nothing has been read yet.</p>
        {hasPassphrase && <p>Then a field for the passphrase, with the number of tries left.</p>}
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

function revealLine({ id, key, hasPassphrase }: CreatedSecret): string {
  const passphrase = hasPassphrase ? ` --data-urlencode "passphrase=$PASSPHRASE"` : "";
  return `curl -d key=${key}${passphrase} '${location.origin}/api/secrets/${id}/reveal?raw=true'`;
}
