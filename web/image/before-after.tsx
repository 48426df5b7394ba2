import { useSignal } from "@preact/signals";
import { formatBytes, formatPercent } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { useObjectUrl } from "../files/object-url.ts";

/** The picture before and after, one over the other, with a line between them that can be moved. */
export function BeforeAfter({
  before,
  after,
  caption,
}: {
  before: File;
  after: File;
  /** What stands below in place of the sizes. */
  caption?: string;
}) {
  const t = words().image;
  const line = useSignal(50);
  // Not every browser shows every format that it can convert from.
  const isShown = useSignal(true);
  const saved = 1 - after.size / before.size;
  const change = { size: formatBytes(after.size), percent: formatPercent(Math.abs(saved)) };
  const [beforeUrl, afterUrl] = [useObjectUrl(before), useObjectUrl(after)];
  return (
    <figure class="before-after">
      <div class="pictures" dir="ltr" style={{ "--line": `${isShown.value ? line.value : 0}%` }}>
        <img class="after" src={afterUrl} alt={t.afterAlt} />
        {isShown.value && (
          <>
            <img class="before" src={beforeUrl} alt={t.beforeAlt} onError={() => (isShown.value = false)} />
            <input
              type="range"
              min={0}
              max={100}
              value={line.value}
              aria-label={t.line}
              onInput={({ currentTarget }) => (line.value = Number(currentTarget.value))}
            />
          </>
        )}
      </div>
      <figcaption>
        <span>
          <strong>{t.before}</strong> {!caption && <span class="hint">{formatBytes(before.size)}</span>}
        </span>
        {caption && <span class="hint">{caption}</span>}
        <span>
          <strong>{t.after}</strong>{" "}
          {!caption && <span class="hint">{fill(saved >= 0 ? t.smaller : t.larger, change)}</span>}
        </span>
      </figcaption>
    </figure>
  );
}
