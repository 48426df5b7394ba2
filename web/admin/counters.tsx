import "../style/account.css";
import { useLoader } from "../api/loader.ts";
import { server } from "../api/server.ts";
import { formatBytes, formatNumber } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { MemberFailure } from "../account/member-failure.tsx";

/** The counters of this instance. */
export function Counters() {
  const t = words().admin.counters;
  const { state } = useLoader(() => server.admin.counters.query({}));
  const loaded = state.value;
  return (
    <section class="panel" aria-labelledby="counters" aria-busy={loaded.is === "loading"}>
      <h2 id="counters">{t.title}</h2>
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
      {loaded.is === "loaded" && (
        <dl class="counts">
          {factsOf(loaded.value).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <Stored {...loaded.value.stored} />
        </dl>
      )}
    </section>
  );
}

function factsOf(counts: Awaited<ReturnType<typeof server.admin.counters.query>>): [string, string][] {
  const t = words().admin.counters;
  const { members, sessions, secrets, requests, tools, version } = counts;
  const failed = tools.reduce((sum, tool) => sum + tool.failed, 0);
  const calls = tools.reduce((sum, tool) => sum + tool.succeeded, failed);
  return [
    [t.members, formatNumber(members.total)],
    [t.disabled, formatNumber(members.disabled)],
    [t.sessions, formatNumber(sessions)],
    [t.secrets, formatNumber(secrets)],
    [t.requests, formatNumber(requests)],
    [t.calls, formatNumber(calls)],
    [t.failed, formatNumber(failed)],
    [t.version, version],
  ];
}

/** How much of its room is used, as a bar. */
function Stored({ bytes, maximum }: { bytes: number; maximum: number }) {
  const t = words().admin.counters;
  return (
    <div class="of">
      <dt>{t.stored}</dt>
      <dd>{fill(t.storedOf, { bytes: formatBytes(bytes), maximum: formatBytes(maximum) })}</dd>
      <dd>
        <meter value={bytes} max={maximum} aria-label={t.stored} />
      </dd>
    </div>
  );
}
