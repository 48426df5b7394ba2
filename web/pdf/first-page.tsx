import { useEffect, useRef } from "preact/hooks";
import { openThumbnails } from "./thumbnails.ts";

// One after another: each document that is open holds its file in memory.
let drawn: Promise<void> = Promise.resolve();

/** What the system takes a file for, before its content is read. */
export function isImageByType(file: File): boolean {
  return file.type.startsWith("image/");
}

/** A small picture of a document's first page, or of an image; blank where there is none. */
export function FirstPage({
  file,
  password,
  isOff,
}: {
  file: File;
  password: string;
  /** As long as the file does not open. */
  isOff: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = !isOff;
    const draw = async () => {
      if (!isCurrent || !canvas.current) return;
      if (isImageByType(file)) return drawImage(file, canvas.current);
      const pages = await openThumbnails(file, password);
      await pages.draw(1, canvas.current).finally(pages.close);
    };
    // A page that cannot be drawn can still be merged.
    drawn = drawn.then(draw).catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [file, password, isOff]);
  return <canvas class="first-page" ref={canvas} width={120} height={160} aria-hidden="true" />;
}

const WIDTH = 120;

/** Draws an image as wide as is said, or as a small picture. */
export async function drawImage(file: File, canvas: HTMLCanvasElement, width = WIDTH): Promise<void> {
  const resizeWidth = Math.ceil(width * Math.min(2, devicePixelRatio));
  const picture = await createImageBitmap(file, { resizeWidth, resizeQuality: "medium" });
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  picture.close();
}
