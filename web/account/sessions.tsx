import { useLoader, useSender } from "../api/loader.ts";
import { MemberFailure } from "./member-failure.tsx";
import { formatTime } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { server } from "../api/server.ts";

type Session = Awaited<ReturnType<typeof server.account.sessions.query>>["sessions"][number];

/** Where a member is logged in. */
export function Sessions() {
  const t = words().account.sessions;
  const { state, reload } = useLoader(() => server.account.sessions.query({}));
  const { failure, send } = useSender();
  const loaded = state.value;
  const sessions = loaded.is === "loaded" ? loaded.value.sessions : [];
  const end = async (work: () => Promise<unknown>) => {
    if (await send(work)) await reload();
  };
  return (
    <section class="panel" aria-labelledby="sessions" aria-busy={loaded.is === "loading"}>
      <h2 id="sessions">{t.title}</h2>
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
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
            {t.endOthers}
          </button>
        </div>
      )}
      {failure.value && <MemberFailure failure={failure.value} />}
    </section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const t = words().account.sessions;
  const { created, lastUsed, isCurrent } = session;
  return (
    <li>
      <div>
        <p>
          {isCurrent ? <strong>{t.here}</strong> : t.other} · {fill(t.since, { time: formatTime(created) })}
        </p>
        <p class="hint">{fill(t.lastUsed, { time: formatTime(lastUsed) })}</p>
      </div>
      {!isCurrent && (
        <button
          type="button"
          class="small"
          aria-label={fill(t.endLabel, { time: formatTime(created) })}
          onClick={onEnd}
        >
          {t.end}
        </button>
      )}
    </li>
  );
}
