import { useSignal, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { formatFailure } from "../api/format-failure.ts";
import { nameOf, words } from "../app/language/words.ts";
import { FailureNote } from "../parts/job.tsx";
import { Note, Status } from "../parts/note.tsx";

const NEEDS_LOGIN = ["login_required", "session_required"];

/** The field, of several, whose value breaks its rule. */
export function wrongField(failure: Failure | undefined, fields: readonly string[]): string | undefined {
  const parameter = String(failure?.fields.parameter);
  return failure?.code === "invalid_parameter" && fields.includes(parameter) ? parameter : undefined;
}

/** The rule of a field, shown below it and repeated when it was broken. */
export function Rule({
  broken,
  length = 0,
  children,
}: {
  broken: Failure | undefined;
  /** How many characters were given, where the rule does not say how many there may be. */
  length?: number;
  children: string;
}) {
  if (!broken) return children;
  const { maximum } = broken.fields;
  const isTooLong = typeof maximum === "number" && length > maximum;
  const fields = { value: maximum, unit: "characters", actual: length };
  return <span role="alert">{isTooLong ? formatFailure({ code: "text_too_large", fields }) : children}</span>;
}

/** A failure below a form, made visible. */
export function ShownFailure({ failure, title }: { failure: Failure; title: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), [failure]);
  return (
    <div ref={place}>
      <MemberFailure failure={failure} title={title} />
    </div>
  );
}

/** A failure on a member's page, with a login where the session has ended. */
export function MemberFailure({
  failure,
  title,
  labels = {},
  atFields = [],
}: {
  failure: Failure;
  title?: string | undefined;
  /** What the form calls its fields, by parameter, where that differs from the usual name. */
  labels?: Readonly<Record<string, string>>;
  /** Fields whose rule below them says enough. */
  atFields?: readonly string[];
}) {
  // A later failure is another reason to log in.
  const loggedIn = useSignal<Failure | undefined>(undefined);
  if (wrongField(failure, atFields)) return null;
  if (!NEEDS_LOGIN.includes(failure.code)) {
    const { code, fields } = failure;
    const parameter = nameOf(labels, String(fields.parameter));
    return <FailureNote failure={{ code, fields: { ...fields, parameter } }} title={title} />;
  }
  const isIn = loggedIn.value === failure;
  return (
    <>
      <Status>{isIn && <Note kind="good">{words().members.again}</Note>}</Status>
      {!isIn && <Ended title={title} onLogin={() => (loggedIn.value = failure)} />}
    </>
  );
}

function Ended({ title, onLogin }: { title: string | undefined; onLogin: () => void }) {
  const { ended, login } = words().members;
  return (
    <Note kind="bad" title={title}>
      <p>{ended}</p>
      <div class="actions">
        <button type="button" aria-haspopup="dialog" onClick={() => (loginWanted.value = onLogin)}>
          {login}
        </button>
      </div>
    </Note>
  );
}

/** What to do after a login that somebody has asked for beside what they are at. */
export const loginWanted = signal<(() => void) | undefined>(undefined);
