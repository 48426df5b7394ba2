import { useSignal, type Signal } from "@preact/signals";
import { findFailure, type Failure } from "../api/failure.ts";
import { server } from "../api/server.ts";
import { formatRelativeTime, formatTime } from "../app/language/format.ts";
import { useNews } from "../app/news.ts";
import { fill, words } from "../app/language/words.ts";
import { Seal } from "../parts/icon.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNote } from "../parts/job.tsx";
import { NoticeChoice, showNotice, wantsNotices } from "./notice.tsx";
import type { CreatedSecret } from "./send/share.ts";

/** Whether a secret is waiting, or how and when it ended. */
export interface SecretState {
  readonly status: "active" | "revealed" | "revoked" | "expired" | "locked";
  readonly closed: string | null;
}

/** Keeps the state of a secret up to date while the page is visible, or somebody wants to be told. */
export function useSecretState({ id, revokeToken }: CreatedSecret): Signal<SecretState> {
  const state = useSignal<SecretState>({ status: "active", closed: null });
  const isLive = () => state.peek().status === "active";
  useNews<SecretState>(
    {
      path: `/api/secrets/${id}/events`,
      proof: revokeToken,
      ask: () => server.secrets.status.mutate({ id, revokeToken }),
      isLive,
      receive: async (next) => {
        if (!isLive()) return;
        state.value = next;
        if (next.status !== "active") await showNotice(id, words().shared.notice[next.status]);
      },
    },
    wantsNotices,
  );
  return state;
}

/** The style of the tag for each state. */
export const STATUS_KINDS = {
  active: "good",
  revealed: "",
  revoked: "bad",
  expired: "warn",
  locked: "bad",
} as const satisfies Record<SecretState["status"], string>;

/** Whether the secret was opened, with a button to delete it as long as it was not. */
export function StatusPanel({ shared, state }: { shared: CreatedSecret; state: Signal<SecretState> }) {
  const failure = useSignal<Failure | undefined>(undefined);
  const { id, revokeToken, expiry } = shared;
  const { status, closed } = state.value;
  const revoke = async () => {
    try {
      state.value = await server.secrets.revoke.mutate({ id, revokeToken });
    } catch (error) {
      failure.value = await findFailure(error);
      state.value = await server.secrets.status.mutate({ id, revokeToken }).catch(() => state.value);
    }
  };
  const t = words().shared;
  return (
    <div class="panel">
      <div class="status">
        <Seal isBroken={status !== "active"} />
        <p role="status">
          <span class={`tag ${STATUS_KINDS[status]}`}>{words().status[status]}</span>{" "}
          <span class="hint">
            {closed ? formatTime(closed) : fill(t.deletes, { time: formatRelativeTime(expiry) })}
          </span>
        </p>
        {status === "active" && (
          <ConfirmButton action={t.deleteNow} confirm={t.deleteConfirm} onConfirm={() => void revoke()} />
        )}
      </div>
      {failure.value && status === "active" && <FailureNote failure={failure.value} />}
      {status === "active" && <NoticeChoice />}
    </div>
  );
}
