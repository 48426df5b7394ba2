import { useEffect, useRef } from "preact/hooks";
import type { Thumbnails } from "./thumbnails.ts";

/** A small picture of a page, drawn when it scrolls into view. */
export function Thumbnail({
  pages,
  page,
  degrees = 0,
}: {
  pages: Thumbnails;
  page: number;
  /** How far it is shown turned to the right. */
  degrees?: number;
}) {
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
    <span class="thumbnail">
      <canvas ref={canvas} width={120} height={160} data-turned={degrees === 0 ? undefined : degrees} />
    </span>
  );
}
