import { useSignal } from "@preact/signals";
import { hrefTo, SERVER_URL, shownPath } from "../../app/paths/base.ts";
import { linkWords } from "../../app/language/words.ts";
import { TextField } from "../../parts/field.tsx";
import { Note } from "../../parts/note.tsx";
import { parseLink, parseRequestLink, type SecretLink } from "../../../wire/links.ts";

/** Takes a link and opens its page. */
export function LinkForm() {
  const t = linkWords().open;
  const text = useSignal("");
  const isRefused = useSignal(false);
  const open = async (event: Event) => {
    event.preventDefault();
    // Few links come in a wrapper, and the page behind one loads little.
    const { unwrapLink } = await import("../../../wire/wrapped-links.ts");
    const path = pathOfAny(unwrapLink(text.value));
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

/** The page behind any link of ours: to a secret, to a request, or to its answer. */
function pathOfAny(text: string): string | undefined {
  const read = parseLink(text);
  if (read.is === "complete") return pathOf(read.link);
  const request = parseRequestLink(text);
  if (request.is === "answer") return `${hrefTo(`/r/${request.link.id}`)}#${request.link.publicKey}`;
  if (request.is !== "collect") return undefined;
  const { id, collectToken, privateKey } = request.link;
  return `${hrefTo(`/r/${id}/collect`)}#${collectToken}.${privateKey}`;
}

function pathOf({ id, key, inner }: SecretLink): string {
  // Changing only the fragment would not reload the page; a query, which is ignored, makes it do so.
  const isHere = shownPath() === `/s/${id}`;
  return `${hrefTo(`/s/${id}`)}${isHere ? "?again" : ""}#${key}${inner ? `.${inner}` : ""}`;
}
