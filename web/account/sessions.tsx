import { useLoader, useSender } from "../api/loader.ts";
import { FailureNote } from "../parts/job.tsx";
import { formatTime } from "../app/format.ts";
import { server } from "../api/server.ts";

type Session = Awaited<ReturnType<typeof server.account.sessions.query>>["sessions"][number];

/** Where a member is logged in. */
export function Sessions() {
  const { state, reload } = useLoader(() => server.account.sessions.query({}));
  const { failure, send } = useSender();
  const loaded = state.value;
  const sessions = loaded.is === "loaded" ? loaded.value.sessions : [];
  const end = async (work: () => Promise<unknown>) => {
    if (await send(work)) await reload();
  };
  return (
    <section class="panel" aria-labelledby="sessions">
      <h2 id="sessions">Where you are logged in</h2>
      {loaded.is === "failed" && <FailureNote failure={loaded.failure} />}
      <ul class="rows">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() => void end(() => server.account.endSession.mutate({ id: session.id }))}
          />
        ))}
      </ul>
      {sessions.length > 1 && (
        <div class="actions">
          <button
            type="button"
            class="small"
            onClick={() => void end(() => server.account.endOtherSessions.mutate({}))}
          >
            Log out everywhere else
          </button>
        </div>
      )}
      {failure.value && <FailureNote failure={failure.value} />}
    </section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { created, lastUsed, isCurrent } = session;
  return (
    <li>
      <div>
        <p>
          {isCurrent ? <strong>This browser</strong> : "Another browser"}, since {formatTime(created)}
        </p>
        <p class="hint">Last used {formatTime(lastUsed)}</p>
      </div>
      {!isCurrent && (
        <button
          type="button"
          class="small"
          aria-label={`Log out the browser of ${formatTime(created)}`}
          onClick={onEnd}
        >
          Log out
        </button>
      )}
    </li>
  );
}
