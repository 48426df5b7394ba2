import { useSignal } from "@preact/signals";
import { hrefTo, SERVER_URL, shownPath } from "../../app/paths/base.ts";
import { linkWords } from "../../app/language/words.ts";
import { TextField } from "../../parts/field.tsx";
import { Note } from "../../parts/note.tsx";
import { parseLink, type SecretLink } from "../../../wire/links.ts";

/** Takes a link and opens its page. */
export function LinkForm() {
  const t = linkWords().open;
  const text = useSignal("");
  const isRefused = useSignal(false);
  const open = (event: Event) => {
    event.preventDefault();
    const read = parseLink(text.value);
    if (read.is === "complete") location.assign(pathOf(read.link));
    isRefused.value = read.is !== "complete";
  };
  return (
    <form class="stack" onSubmit={open}>
      <TextField
        label={t.link}
        value={text}
        isCode
        placeholder={`${SERVER_URL}/s/…#…`}
        isInvalid={isRefused.value}
      />
      {isRefused.value && (
        <Note kind="bad" title={t.invalidTitle}>
          {t.invalid}
        </Note>
      )}
      <div class="actions">
        <button class="primary" disabled={text.value.trim() === ""}>
          {t.submit}
        </button>
      </div>
    </form>
  );
}

function pathOf({ id, key, inner }: SecretLink): string {
  // Changing only the fragment would not reload the page; a query, which is ignored, makes it do so.
  const isHere = shownPath() === `/s/${id}`;
  return `${hrefTo(`/s/${id}`)}${isHere ? "?again" : ""}#${key}${inner ? `.${inner}` : ""}`;
}
