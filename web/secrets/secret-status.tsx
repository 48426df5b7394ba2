import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { describeError, server, type Failure } from "../api/server.ts";
import { formatRelativeTime, formatTime } from "../app/format.ts";
import { fill, words } from "../app/words.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNote } from "../parts/job.tsx";
import type { CreatedSecret } from "./share.ts";

export interface SecretState {
  readonly status: "active" | "revealed" | "revoked" | "expired" | "locked";
  readonly closed: string | null;
}

const FIRST_POLL_MS = 4000;
const SLOWEST_POLL_MS = 60_000;
const BACKOFF = 1.5;

/** Keeps the state of a secret up to date while the page is visible, less and less often. */
export function useSecretState({ id, revokeToken }: CreatedSecret): Signal<SecretState> {
  const state = useSignal<SecretState>({ status: "active", closed: null });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (delay: number) => {
      clearTimeout(timer);
      if (state.peek().status !== "active" || document.hidden) return;
      // A poll that fails is made up for by the next one.
      const next = await server.secrets.status.mutate({ id, revokeToken }).catch(() => undefined);
      if (next && state.peek().status === "active") state.value = next;
      schedule(Math.min(delay * BACKOFF, SLOWEST_POLL_MS));
    };
    const schedule = (delay: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void poll(delay), delay);
    };
    const onVisible = () => !document.hidden && void poll(FIRST_POLL_MS);
    schedule(FIRST_POLL_MS);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, []);
  return state;
}

/** How a tag for each state looks. */
export const STATUS_KINDS = {
  active: "good",
  revealed: "",
  revoked: "bad",
  expired: "warn",
  locked: "bad",
} as const satisfies Record<SecretState["status"], string>;

/** Whether the secret was opened, and a button to delete it as long as it was not. */
export function StatusPanel({ shared, state }: { shared: CreatedSecret; state: Signal<SecretState> }) {
  const failure = useSignal<Failure | undefined>(undefined);
  const { id, revokeToken, expiry } = shared;
  const { status, closed } = state.value;
  const revoke = async () => {
    try {
      state.value = await server.secrets.revoke.mutate({ id, revokeToken });
    } catch (error) {
      failure.value = describeError(error);
      state.value = await server.secrets.status.mutate({ id, revokeToken }).catch(() => state.value);
    }
  };
  const t = words().shared;
  return (
    <div class="panel">
      <div class="status">
        <p role="status">
          <span class={`tag ${STATUS_KINDS[status]}`}>{words().common.status[status]}</span>{" "}
          <span class="hint">
            {closed ? formatTime(closed) : fill(t.deletes, { time: formatRelativeTime(expiry) })}
          </span>
        </p>
        {status === "active" && (
          <ConfirmButton action={t.deleteNow} confirm={t.deleteConfirm} onConfirm={() => void revoke()} />
        )}
      </div>
      {failure.value && status === "active" && <FailureNote failure={failure.value} />}
    </div>
  );
}
