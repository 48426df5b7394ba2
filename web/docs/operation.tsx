import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { fill, words } from "../app/language/words.ts";
import { CopyButton } from "../parts/copy.tsx";
import { ENGLISH, type ListedOperation, type Operation, type Schema } from "./document.ts";

/** An operation, closed until it is clicked. */
export function OperationView({ listed }: { listed: ListedOperation }) {
  const { path, method, summary, operationId, read } = listed;
  const isFilled = useSignal(false);
  const fillIn = () => {
    isFilled.value = true;
  };
  // Filling in all at once would block a phone for a third of a second.
  useEffect(() => whenIdle(fillIn), []);
  return (
    <details class="operation" id={operationId} onToggle={fillIn}>
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span>
        <code>{path}</code>
        <span class="what" {...ENGLISH}>
          {summary}
        </span>
      </summary>
      {isFilled.value && <Details operation={read()} />}
    </details>
  );
}

function Details({ operation }: { operation: Operation }) {
  const [example] = operation["x-codeSamples"] ?? [];
  return (
    <div class="stack">
      <p {...ENGLISH}>{operation.description}</p>
      {example && <Example line={example.source} />}
      <Parameters operation={operation} />
      <Body operation={operation} />
      <Responses operation={operation} />
    </div>
  );
}

function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (!("requestIdleCallback" in globalThis)) {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(work);
  return () => cancelIdleCallback(waiting);
}

function Example({ line }: { line: string }) {
  return (
    <div class="curl">
      <pre tabIndex={0}>{line}</pre>
      <div class="actions">
        <CopyButton kind="small" text={() => line} label={words().common.copyCommand} />
      </div>
    </div>
  );
}

function Parameters({ operation: { parameters = [] } }: { operation: Operation }) {
  if (parameters.length === 0) return null;
  return (
    <Entries title={words().docs.parameters}>
      {parameters.map(({ name, in: place, required, description, schema }) => (
        <Entry key={`${place} ${name}`} name={name} schema={schema} isRequired={required} place={place}>
          {description}
        </Entry>
      ))}
    </Entries>
  );
}

function Body({ operation: { requestBody } }: { operation: Operation }) {
  const types = Object.keys(requestBody?.content ?? {});
  if (types.length === 0) return null;
  const schema = requestBody?.content["application/json"]?.schema;
  return (
    <>
      <p>
        {words().docs.body} <code>{types.join(", ")}</code>
      </p>
      {schema?.properties && <Properties title={words().docs.bodyFields} schema={schema} />}
    </>
  );
}

function Responses({ operation: { responses } }: { operation: Operation }) {
  const [status = "", answer] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const failures = Object.entries(responses).filter(([code]) => !code.startsWith("2"));
  const schema = answer?.content?.["application/json"]?.schema;
  return (
    <>
      <p>
        {fill(words().docs.answer, { status })} <span {...ENGLISH}>{answer?.description}</span>{" "}
        <code>{Object.keys(answer?.content ?? {}).join(", ")}</code>
      </p>
      {schema?.properties && <Properties title={words().docs.answerKeys} schema={schema} />}
      <Entries title={words().docs.failures}>
        {failures.map(([code, { description }]) => (
          <div key={code}>
            <dt>
              <code>{code}</code>
            </dt>
            <dd {...ENGLISH}>{description.replaceAll("_", " ")}</dd>
          </div>
        ))}
      </Entries>
    </>
  );
}

function Properties({ title, schema }: { title: string; schema: Schema }) {
  return (
    <Entries title={title}>
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <Entry key={name} name={name} schema={property} isRequired={schema.required?.includes(name) ?? false}>
          {property.description}
        </Entry>
      ))}
    </Entries>
  );
}

function Entries({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <h3>{title}</h3>
      <dl class="entries">{children}</dl>
    </div>
  );
}

function Entry({
  name,
  schema,
  isRequired,
  place,
  children,
}: {
  name: string;
  schema: Schema;
  isRequired: boolean;
  place?: string;
  children: ComponentChildren;
}) {
  return (
    <div>
      <dt>
        <code>{name}</code>
        <span class="hint">
          {[place, formatType(schema), isRequired ? words().docs.required : ""].filter(Boolean).join(", ")}
        </span>
      </dt>
      <dd>
        <span {...ENGLISH}>{children}</span>
        {schema.default !== undefined && (
          <span class="hint"> {fill(words().docs.default, { value: JSON.stringify(schema.default) })}</span>
        )}
      </dd>
    </div>
  );
}

function formatType({ type, enum: allowed, items, anyOf, minimum, maximum, const: only }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (allowed) return allowed.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf) return anyOf.map(formatType).join(" | ");
  if (type === "array") return `list of ${items ? formatType(items) : "anything"}`;
  const isShort = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && minimum !== undefined;
  return `${type ?? "object"}${isShort ? ` ${minimum}–${maximum}` : ""}`;
}
