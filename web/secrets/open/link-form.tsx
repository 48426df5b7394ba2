import { useSignal } from "@preact/signals";
import { SERVER_URL } from "../../app/paths/base.ts";
import { linkWords } from "../../app/language/words.ts";
import { TextField } from "../../parts/field.tsx";
import { Note } from "../../parts/note.tsx";
import type { ElsewhereLink } from "./link-path.ts";

/** Takes a link and opens its page. */
export function LinkForm() {
  const t = linkWords().open;
  const text = useSignal("");
  const isRefused = useSignal(false);
  const elsewhere = useSignal<ElsewhereLink | undefined>(undefined);
  const open = async (event: Event) => {
    event.preventDefault();
    const { readDestination } = await import("./link-path.ts");
    const to = await readDestination(text.value);
    if (typeof to === "string") location.assign(to);
    elsewhere.value = typeof to === "object" ? to : undefined;
    isRefused.value = to === undefined;
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
      {elsewhere.value && (
        <Note kind="warn" title={elsewhere.value.words?.title ?? ""}>
          {elsewhere.value.words?.text} <a href={elsewhere.value.href}>{elsewhere.value.server}</a>
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
