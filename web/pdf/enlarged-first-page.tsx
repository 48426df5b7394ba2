import { useSignal } from "@preact/signals";
import { fill, words } from "../app/language/words.ts";
import { drawImage, FirstPage, isImageByType } from "./first-page.tsx";
import { PageZoom } from "./page-zoom.tsx";
import { openThumbnails, type Thumbnails } from "./thumbnails.ts";

/** The first page of a file, which shows all of its pages in large when it is pressed. */
export function EnlargedFirstPage(props: { file: File; password: string; isOff: boolean }) {
  const { file, password, isOff } = props;
  const pages = useSignal<Thumbnails | undefined>(undefined);
  const open = async () => {
    // What cannot be drawn has nothing to show.
    pages.value = await openPages(file, password).catch(() => undefined);
  };
  const close = () => {
    void pages.value?.close();
    pages.value = undefined;
  };
  return (
    <>
      <button
        type="button"
        class="enlarging"
        disabled={isOff}
        aria-label={fill(words().range.enlarge, { page: file.name })}
        onClick={() => void open()}
      >
        <FirstPage {...props} />
      </button>
      {pages.value && <PageZoom pages={pages.value} first={1} onClose={close} />}
    </>
  );
}

function openPages(file: File, password: string): Promise<Thumbnails> {
  if (!isImageByType(file)) return openThumbnails(file, password);
  return Promise.resolve({
    count: 1,
    draw: (_page, canvas, width) => drawImage(file, canvas, width),
    close: () => Promise.resolve(),
  });
}
