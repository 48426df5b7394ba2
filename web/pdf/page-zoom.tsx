import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fill, words } from "../app/language/words.ts";
import { PartButton } from "../parts/buttons.tsx";
import type { Thumbnails } from "./thumbnails.tsx";

/** More pixels are not visible on most screens, and take long to draw. */
const MOST_WIDTH = 1100;
const MARGIN = 80;

/** An enlarged page, from which the arrow keys lead to the others. */
export function PageZoom({
  pages,
  first,
  onClose,
}: {
  pages: Thumbnails;
  first: number;
  onClose: () => void;
}) {
  const t = words().range;
  const dialog = useRef<HTMLDialogElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = useSignal(first);
  const page = shown.value;
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const fresh = document.createElement("canvas");
    let isCurrent = true;
    // Each page gets its own canvas: while one is drawn, another may be requested.
    const width = Math.min(MOST_WIDTH, innerWidth - MARGIN);
    pages.draw(page, fresh, width).then(
      () => isCurrent && canvas.current && copyTo(canvas.current, fresh),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [page]);
  const go = (step: number) => (shown.value = Math.min(pages.count, Math.max(1, page + step)));
  return (
    <dialog
      ref={dialog}
      class="zoom"
      aria-labelledby="zoom-title"
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
      onKeyDown={({ key }) => go(stepOf(key))}
    >
      <div class="actions">
        <h2 id="zoom-title" aria-live="polite">
          {fill(t.pageOf, { page, count: pages.count })}
        </h2>
        <PartButton icon="up" label={t.previous} isOff={page === 1} onClick={() => go(-1)} />
        <PartButton icon="down" label={t.next} isOff={page === pages.count} onClick={() => go(1)} />
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          {t.close}
        </button>
      </div>
      <canvas ref={canvas} role="img" aria-label={fill(t.page, { page })} />
    </dialog>
  );
}

function stepOf(key: string): number {
  const forth = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = forth === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
  if (key === forth || key === "PageDown") return 1;
  return key === back || key === "PageUp" ? -1 : 0;
}

function copyTo(canvas: HTMLCanvasElement, from: HTMLCanvasElement): void {
  canvas.width = from.width;
  canvas.height = from.height;
  canvas.getContext("2d")?.drawImage(from, 0, 0);
}
