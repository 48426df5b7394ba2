import "../style/docs.css";
import { hrefTo } from "../app/paths/base.ts";
import { loadReference, type Reference } from "../docs/document.ts";
import { ENGLISH } from "../docs/english.ts";
import { LimitsPanel } from "../docs/limits.tsx";
import { OperationView } from "../docs/operation.tsx";
import { useLoader } from "../api/loader.ts";
import { Retry } from "../parts/retry.tsx";
import { fill, words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";

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
