import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ConvertOptions } from "../../tools/image-convert.ts";
import { words } from "../app/language/words.ts";
import { makeFile } from "../files/file-result.tsx";
import { runHere, type Control } from "../work/run.ts";
import { BeforeAfter } from "./before-after.tsx";

/** As large as it is shown, and small enough to follow a slider. */
const SIDE = 800;
const SLIDING_MS = 120;

type Options = Omit<ConvertOptions, "codec">;

/** What the options will make of an image, in a reduced size, while they are still being chosen. */
export function LivePreview({ file, options }: { file: File; options: Options }) {
  const { rotate, crop } = options;
  const view = { ...(rotate && { rotate }), ...(crop && { crop }) };
  const before = usePicture(file, { format: "png", width: SIDE, height: SIDE, ...view });
  const { format, quality, background } = options;
  const after = usePicture(before, {
    format,
    ...(quality !== undefined && { quality }),
    ...(background && { background }),
  });
  if (!before || !after) return null;
  return <BeforeAfter before={before} after={after} caption={words().image.preview} />;
}

/** An image made with the options, and again when they change; the last one stays until the next is there. */
function usePicture(file: File | undefined, options: Options): File | undefined {
  const picture = useSignal<File | undefined>(undefined);
  const wanted = JSON.stringify(options);
  useEffect(() => {
    if (!file) return undefined;
    const ending = new AbortController();
    const control = { signal: ending.signal, onProgress: () => undefined };
    const timer = setTimeout(() => {
      // What cannot be shown can still be converted, or the work says why not.
      void make(file, { options, control }).then(
        (made) => {
          if (!ending.signal.aborted) picture.value = made;
        },
        () => undefined,
      );
    }, SLIDING_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [file, wanted]);
  return picture.value;
}

async function make(file: File, { options, control }: { options: Options; control: Control }): Promise<File> {
  const { bytes, format } = await runHere("convertImage", { args: [file, options], control });
  return makeFile(bytes, { name: "preview", type: `image/${format}` });
}
