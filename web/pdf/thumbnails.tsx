import { formatCount, words } from "../app/language/words.ts";
import { scriptUrl } from "../app/trusted-types.ts";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** An open PDF whose pages can be drawn as thumbnails. */
export interface Thumbnails {
  readonly count: number;
  /** Draws a page, as wide as a thumbnail or as given. */
  readonly draw: (page: number, canvas: HTMLCanvasElement, width?: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const WIDTH = 120;
const LARGE_WIDTH = 480;

/** Opens a PDF for thumbnails. The library is loaded on first use, as it is larger than all other code. */
export async function openThumbnails(file: File, password: string): Promise<Thumbnails> {
  const [{ getDocument, PDFWorker }, { default: workerUrl }] = await Promise.all([
    import("pdfjs-dist"),
    import("pdfjs-dist/build/pdf.worker.min.mjs?url"),
  ]);
  const port = new Worker(scriptUrl(workerUrl), { type: "module" });
  const worker = PDFWorker.create({ port });
  const task = getDocument({
    worker,
    data: new Uint8Array(await file.arrayBuffer()),
    password,
    // Fonts are drawn as paths, so that no font of a file is loaded into the page.
    disableFontFace: true,
    useSystemFonts: true,
    useWasm: false,
    enableXfa: false,
  });
  const close = async () => {
    await task.destroy();
    port.terminate();
  };
  const pdf = await task.promise.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    count: pdf.numPages,
    draw: (page, canvas, width = WIDTH) => draw(pdf, { page, canvas, width }),
    close,
  };
}

async function draw(
  pdf: import("pdfjs-dist").PDFDocumentProxy,
  { page, canvas, width: most }: { page: number; canvas: HTMLCanvasElement; width: number },
): Promise<void> {
  const sheet = await pdf.getPage(page);
  const { width, height } = sheet.getViewport({ scale: 1 });
  const sharp = Math.min(2, devicePixelRatio);
  const viewport = sheet.getViewport({ scale: (most * sharp) / Math.max(width, height * 0.75) });
  canvas.width = Math.ceil(viewport.width);
  canvas.height = Math.ceil(viewport.height);
  await sheet.render({ canvas, viewport }).promise;
}

// One after another: each open document holds its file in memory.
let drawn: Promise<void> = Promise.resolve();

/** The kind of a file according to the system, before its content is read. */
export function isImageByType(file: File): boolean {
  return file.type.startsWith("image/");
}

/** A picture of a document's first page, or of an image; a small one is blank where there is none. */
export function FirstPage({
  file,
  password,
  isOff = false,
  isLarge = false,
}: {
  file: File;
  password: string;
  /** True while the file does not open. */
  isOff?: boolean;
  isLarge?: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isMissing = useSignal(false);
  const width = isLarge ? LARGE_WIDTH : WIDTH;
  useEffect(() => {
    let isCurrent = !isOff;
    isMissing.value = false;
    const draw = async () => {
      if (!isCurrent || !canvas.current) return;
      if (isImageByType(file)) return drawImage(file, canvas.current, width);
      const pages = await openThumbnails(file, password);
      await pages.draw(1, canvas.current, width).finally(pages.close);
    };
    // A page that cannot be drawn can still be worked on.
    drawn = drawn.then(draw).catch(() => void (isMissing.value = isCurrent));
    return () => {
      isCurrent = false;
    };
  }, [file, password, isOff]);
  return (
    <canvas
      class={isLarge ? "first-page large" : "first-page"}
      ref={canvas}
      width={120}
      height={160}
      hidden={isLarge && isMissing.value}
      aria-hidden="true"
    />
  );
}

/** How many there are; a blank of the usual width while that is not known, so that nothing moves later. */
export function PageCount({ pages }: { pages: number | undefined }) {
  const text = formatCount(pages ?? 10, words().common.pages);
  return <span class={pages === undefined ? "blank" : undefined}> · {text}</span>;
}

/** Draws an image with the given width, or as a small picture. */
export async function drawImage(file: File, canvas: HTMLCanvasElement, width = WIDTH): Promise<void> {
  const resizeWidth = Math.ceil(width * Math.min(2, devicePixelRatio));
  const picture = await createImageBitmap(file, { resizeWidth, resizeQuality: "medium" });
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  picture.close();
}

/** A small picture of a page, drawn when it scrolls into view. */
export function Thumbnail({
  pages,
  page,
  degrees = 0,
}: {
  pages: Thumbnails;
  page: number;
  /** How far it is shown turned clockwise. */
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
