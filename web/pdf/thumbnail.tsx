import { useEffect, useRef } from "preact/hooks";
import { fill, words } from "../app/words.ts";
import type { Thumbnails } from "./thumbnails.ts";

interface ThumbnailProps {
  readonly pages: Thumbnails;
  readonly page: number;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

/** A thumbnail of a page that can be selected. It is drawn when it scrolls into view. */
export function Thumbnail({ pages, page, isChosen, onToggle }: ThumbnailProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    if (!current) return undefined;
    const watcher = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      watcher.disconnect();
      // A page that cannot be drawn stays blank, with its number.
      pages.draw(page, current).catch(() => undefined);
    });
    watcher.observe(current);
    return () => watcher.disconnect();
  }, [pages, page]);
  return (
    <button
      type="button"
      class="sheet"
      aria-pressed={isChosen}
      aria-label={fill(words().range.page, { page })}
      onClick={onToggle}
    >
      <canvas ref={canvas} width={120} height={160} />
      <span>{page}</span>
    </button>
  );
}
