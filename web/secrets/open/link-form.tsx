import { useSignal } from "@preact/signals";
import { SERVER_URL } from "../../app/paths/base.ts";
import { linkWords } from "../../app/language/words.ts";
import { TextField } from "../../parts/field.tsx";
import { Note } from "../../parts/note.tsx";

/** Takes a link and opens its page. */
export function LinkForm() {
  const t = linkWords().open;
  const text = useSignal("");
  const isRefused = useSignal(false);
  const open = async (event: Event) => {
    event.preventDefault();
    const { pathOfAny } = await import("./link-path.ts");
    const path = pathOfAny(text.value);
    if (path !== undefined) location.assign(path);
    isRefused.value = path === undefined;
  };
  return (
    <form class="stack" onSubmit={(event) => void open(event)}>
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
