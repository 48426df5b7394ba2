import { useSignal } from "@preact/signals";
import type { ConvertOptions } from "../../tools/image-convert.ts";
import { words, fill } from "../app/language/words.ts";
import { FirstPage } from "../pdf/thumbnails.tsx";
import { makeFile } from "../files/file-result.tsx";
import { useLatest } from "../parts/job.tsx";
import { runHere } from "../work/run.ts";
import { formatBytes, formatPercent } from "../app/language/format.ts";
import { useObjectUrl } from "../files/object-url.ts";

/** As large as it is shown, and small enough to follow a slider. */
const SIDE = 800;
const SLIDING_MS = 120;

type Options = Omit<ConvertOptions, "codec">;

/** A small preview of the result, while options are being chosen. */
export function LivePreview({ file, options }: { file: File; options: Options }) {
  const { format, quality, background, rotate, crop } = options;
  const before = usePicture(file, { format: "png", width: SIDE, height: SIDE, rotate, crop });
  const after = usePicture(before, { format, quality, background });
  if (!before || !after) return <FirstPage file={file} password="" isLarge />;
  return <BeforeAfter before={before} after={after} caption={words().image.preview} />;
}

/** An image made with the options, and again when they change; the last one stays until the next is ready. */
function usePicture(file: File | undefined, options: Options): File | undefined {
  // What cannot be shown can still be converted, or the work says why not.
  const make = async (signal: AbortSignal) => {
    await new Promise((resolve) => setTimeout(resolve, SLIDING_MS));
    return file && !signal.aborted ? convert(file, options, signal) : undefined;
  };
  return useLatest(make, [file, JSON.stringify(options)]);
}

async function convert(file: File, options: Options, signal: AbortSignal): Promise<File> {
  const control = { signal, onProgress: () => undefined };
  const { bytes, format } = await runHere("convertImage", [file, options], control);
  return makeFile(bytes, { name: "preview", type: `image/${format}` });
}

/** The picture before and after, one over the other, with a movable line between them. */
export function BeforeAfter({
  before,
  after,
  caption,
}: {
  before: File;
  after: File;
  /** Shown below instead of the sizes. */
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
