import { useSignal } from "@preact/signals";
import type { Failure } from "../api/failure.ts";
import { nameOf, words } from "../app/language/words.ts";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { Status } from "../parts/status.tsx";
import { loginWanted } from "./login-wanted.ts";

const NEEDS_LOGIN = ["login_required", "session_required"];

/** A failure of what members do: with a login beside it where that has ended, or the rule of the field that is wrong. */
export function MemberFailure({
  failure,
  title,
  rules = {},
}: {
  failure: Failure;
  title?: string;
  /** What each field may hold. */
  rules?: Readonly<Record<string, string>>;
}) {
  // A later failure is one more reason to log in.
  const loggedIn = useSignal<Failure | undefined>(undefined);
  const { code, fields } = failure;
  const parameter = String(fields.parameter);
  const rule = code === "invalid_parameter" && Object.hasOwn(rules, parameter) && rules[parameter];
  if (rule) {
    return (
      <Note kind="bad" title={nameOf(words().fields, parameter)}>
        {rule}
      </Note>
    );
  }
  if (!NEEDS_LOGIN.includes(code)) return <FailureNote failure={failure} {...(title ? { title } : {})} />;
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
