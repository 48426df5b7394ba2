import "../style/docs.css";
import { mayBeMember } from "../api/limits.ts";
import { useLoader } from "../api/loader.ts";
import { entriesOf } from "../app/entries.ts";
import { formatBytes, formatDuration, formatNumber } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { hrefTo } from "../app/paths/base.ts";
import { PageHead } from "../app/shell.tsx";
import { loadReference, type Reference, ENGLISH } from "../docs/document.ts";
import { OperationView } from "../docs/operation.tsx";
import { Retry } from "../parts/job.tsx";

/** The API reference, from the server's OpenAPI document. */
export function Page() {
  const { state, reload } = useLoader(loadReference);
  const loaded = state.value;
  return (
    <section class="page docs">
      <PageHead title={words().pages.docs.title}>{words().docs.lead}</PageHead>
      {loaded.is === "loading" && <p class="loading">{words().docs.loading}</p>}
      {loaded.is === "failed" && <Retry failure={loaded.failure} onRetry={() => void reload()} />}
      {loaded.is === "loaded" && <ReferenceView reference={loaded.value} />}
    </section>
  );
}

function ReferenceView({ reference: { tags, operations } }: { reference: Reference }) {
  const t = words().docs;
  return (
    <>
      <p>
        <a href={hrefTo("/api/openapi.json")}>{t.openapi}</a>,{" "}
        <a href={hrefTo("/api/tools")}>{t.catalogue}</a>. {fill(t.rpc, { path: hrefTo("/trpc") })}
      </p>
      <LimitsPanel />
      {tags.map(({ name, description }) => (
        <section key={name} class="stack" aria-labelledby={`tag-${name}`}>
          <div>
            <h2 id={`tag-${name}`} lang="en">
              {name[0]?.toUpperCase() + name.slice(1)}
            </h2>
            <p class="hint" {...ENGLISH}>
              {description}.
            </p>
          </div>
          {operations
            .filter((each) => each.tags.includes(name))
            .map((each) => (
              <OperationView key={each.operationId} listed={each} />
            ))}
        </section>
      ))}
    </>
  );
}

/** The caller's current limits. Their names are shown from the start, so that nothing below moves. */
function LimitsPanel() {
  const t = words().docs;
  const { state } = useLoader(loadLimits);
  const loaded = state.value.is === "loaded" ? state.value.value : undefined;
  return (
    <section class="panel" aria-labelledby="limits">
      <h2 id="limits">{t.limits}</h2>
      <p class="hint">{(loaded?.isMember ?? mayBeMember()) ? t.asMember : t.asGuest}</p>
      <dl class="limits">
        {entriesOf(t.limitNames).map(([key, name]) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{formatLimit(loaded?.limits[key]) ?? "…"}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">{t.units}</p>
    </section>
  );
}

async function loadLimits(): Promise<{ isMember: boolean; limits: Readonly<Record<string, unknown>> }> {
  // Takes most of a second on a phone, which the list of operations need not wait for.
  const { server } = await import("../api/server.ts");
  const { limits, caller } = await server.tools.catalogue.query({});
  return { limits, isMember: caller.tier === "member" };
}

function formatLimit(limit: unknown): string | undefined {
  const { value, unit, window, remaining }: Readonly<Record<string, unknown>> = { ...Object(limit) };
  const t = words().docs;
  if (typeof value !== "number") return undefined;
  if (unit === "seconds") return fill(t.upTo, { value: formatDuration(value) });
  const amount = unit === "bytes" ? formatBytes(value) : formatNumber(value);
  const rate =
    typeof window === "number" ? fill(t.inWindow, { value: amount, window: formatDuration(window) }) : amount;
  return typeof remaining === "number"
    ? fill(t.left, { value: rate, remaining: formatNumber(remaining) })
    : rate;
}
