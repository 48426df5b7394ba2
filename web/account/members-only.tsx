import { hrefTo } from "../app/paths/base.ts";
import { words } from "../app/language/words.ts";
import { Note } from "../parts/note.tsx";
import { pathOf } from "../../wire/pages.ts";

/** Says that this instance keeps secrets for members, before anybody types one. */
export function MembersOnly() {
  const t = words().members;
  return (
    <Note title={t.title}>
      <p>{t.secrets}</p>
      <p>
        <a class="button primary" href={hrefTo(pathOf("account"))}>
          {t.login}
        </a>
      </p>
    </Note>
  );
}
