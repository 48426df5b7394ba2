import { hrefTo } from "../app/base.ts";
import { loadReference, type Document, type Operation, type Reference } from "../docs/document.ts";
import { OperationView } from "../docs/operation.tsx";
import { useLoader } from "../api/loader.ts";
import { Retry } from "../parts/retry.tsx";
import { fill, words } from "../app/words.ts";
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

function ReferenceView({ reference }: { reference: Reference }) {
  const t = words().docs;
  const { document, limits, tier } = reference;
  return (
    <>
      <p>
        <a href={hrefTo("/api/openapi.json")}>{t.openapi}</a>,{" "}
        <a href={hrefTo("/api/tools")}>{t.catalogue}</a>. {fill(t.rpc, { path: hrefTo("/trpc") })}
      </p>
      <section class="panel" aria-labelledby="limits">
        <h2 id="limits">{t.limits}</h2>
        <p class="hint">{tier === "member" ? t.asMember : t.asGuest}</p>
        <dl class="limits">
          {limits.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      {document.tags.map(({ name, description }) => (
        <section key={name} class="stack" aria-labelledby={`tag-${name}`}>
          <div>
            <h2 id={`tag-${name}`}>{name[0]?.toUpperCase() + name.slice(1)}</h2>
            <p class="hint">{description}.</p>
          </div>
          {operationsOf(document, name).map(({ path, method, operation }) => (
            <OperationView
              key={operation.operationId}
              path={path}
              method={method}
              operation={operation}
              example={reference.examples.get(path)}
            />
          ))}
        </section>
      ))}
    </>
  );
}

interface RoutedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** The same call once more, for generated clients that cannot ask for an envelope by Accept. */
const ENVELOPE = /-envelope$/;

function operationsOf({ paths }: Document, tag: string): RoutedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation.tags.includes(tag) && !ENVELOPE.test(operation.operationId)
        ? [{ path, method: method.toUpperCase(), operation }]
        : [],
    ),
  );
}
