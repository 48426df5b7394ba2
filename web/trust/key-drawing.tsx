import { words } from "../app/language/words.ts";

/** A link as it is made up, with what of it the server sees and what stays between sender and reader. */
export function KeyDrawing() {
  const t = words().proof.drawing;
  return (
    <figure class="key-drawing">
      <p class="code" aria-hidden="true">
        <span class="seen">https://…/s/Yk3vQ8mZ</span>
        <span class="kept">#7fGh….pR9sX2…</span>
      </p>
      <figcaption>
        <span class="seen">{t.seen}</span>
        <span class="kept">{t.kept}</span>
      </figcaption>
    </figure>
  );
}
