import { useLoaded, useSending } from "../api/load.ts";
import { Failure } from "../parts/job.tsx";
import { sayTime } from "../app/format.ts";
import { server } from "../api/server.ts";

type Session = Awaited<ReturnType<typeof server.account.sessions.query>>["sessions"][number];

/** Where a member is logged in. */
export function Sessions() {
  const { state, reload } = useLoaded(() => server.account.sessions.query({}));
  const { told, send } = useSending();
  const loaded = state.value;
  const sessions = loaded.is === "there" ? loaded.value.sessions : [];
  const end = async (work: () => Promise<unknown>) => {
    if (await send(work)) await reload();
  };
  return (
    <section class="panel" aria-labelledby="sessions">
      <h2 id="sessions">Where you are logged in</h2>
      {loaded.is === "failed" && <Failure told={loaded.told} />}
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
      {told.value && <Failure told={told.value} />}
    </section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { created, lastUsed, isCurrent } = session;
  return (
    <li>
      <div>
        <p>
          {isCurrent ? <strong>This browser</strong> : "Another browser"}, since {sayTime(created)}
        </p>
        <p class="hint">Last used {sayTime(lastUsed)}</p>
      </div>
      {!isCurrent && (
        <button
          type="button"
          class="small"
          aria-label={`Log out the browser of ${sayTime(created)}`}
          onClick={onEnd}
        >
          Log out
        </button>
      )}
    </li>
  );
}
