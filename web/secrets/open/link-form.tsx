import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { SERVER_URL } from "../../app/paths/base.ts";
import { linkWords } from "../../app/language/words.ts";
import { findFailure } from "../../api/failure.ts";
import { TextField } from "../../parts/field.tsx";
import { FailureNote } from "../../parts/job.tsx";

/** Takes a link and opens its page. */
export function LinkForm() {
  const t = linkWords().open;
  const text = useSignal("");
  const notice = useSignal<VNode | undefined>(undefined);
  const open = async () => {
    try {
      const { readDestination } = await import("./destination.tsx");
      const to = await readDestination(text.value);
      if (typeof to === "string") location.assign(to);
      else notice.value = to;
    } catch (error) {
      notice.value = <FailureNote failure={await findFailure(error)} />;
    }
  };
  return (
    <form class="stack" onSubmit={() => void open()}>
      <TextField
        label={t.link}
        value={text}
        isCode
        placeholder={`${SERVER_URL}/s/…#…`}
        isInvalid={notice.value !== undefined}
      />
      {notice.value}
      <div class="actions">
        <button class="primary" disabled={text.value.trim() === ""}>
          {t.submit}
        </button>
      </div>
    </form>
  );
}
