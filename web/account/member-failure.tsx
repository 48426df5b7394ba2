import type { Failure } from "../api/failure.ts";
import { nameOf, words } from "../app/language/words.ts";
import { hrefTo } from "../app/paths/base.ts";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { pathOf } from "../../wire/pages.ts";

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
  return (
    <Note kind="bad" {...(title ? { title } : {})}>
      <p>{words().members.ended}</p>
      <div class="actions">
        {/* Elsewhere, so that what was typed stays. */}
        <a class="button" href={hrefTo(pathOf("account"))} target="_blank" rel="noopener">
          {words().members.login}
        </a>
      </div>
    </Note>
  );
}
