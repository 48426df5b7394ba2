import { useSignal, signal } from "@preact/signals";
import type { Failure } from "../api/failure.ts";
import { words } from "../app/language/words.ts";
import { FailureNote } from "../parts/job.tsx";
import { Note, Status } from "../parts/note.tsx";

const NEEDS_LOGIN = ["login_required", "session_required"];

/** Which of some fields has been given what its rule does not allow. */
export function wrongField(failure: Failure | undefined, fields: readonly string[]): string | undefined {
  const parameter = String(failure?.fields.parameter);
  return failure?.code === "invalid_parameter" && fields.includes(parameter) ? parameter : undefined;
}

/** The rule of a field, below it, which is told again when it was not kept. */
export function Rule({ isBroken, children }: { isBroken: boolean; children: string }) {
  return isBroken ? <span role="alert">{children}</span> : children;
}

/** A failure of what members do, with a login beside it where that has ended. */
export function MemberFailure({
  failure,
  title,
  atFields = [],
}: {
  failure: Failure;
  title?: string;
  /** Fields that have their rule below them, which says enough. */
  atFields?: readonly string[];
}) {
  // A later failure is one more reason to log in.
  const loggedIn = useSignal<Failure | undefined>(undefined);
  if (wrongField(failure, atFields)) return null;
  if (!NEEDS_LOGIN.includes(failure.code))
    return <FailureNote failure={failure} {...(title ? { title } : {})} />;
  const isIn = loggedIn.value === failure;
  return (
    <>
      <Status>{isIn && <Note kind="good">{words().members.again}</Note>}</Status>
      {!isIn && <Ended {...(title ? { title } : {})} onLogin={() => (loggedIn.value = failure)} />}
    </>
  );
}

function Ended({ title, onLogin }: { title?: string; onLogin: () => void }) {
  const { ended, login } = words().members;
  return (
    <Note kind="bad" {...(title ? { title } : {})}>
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
