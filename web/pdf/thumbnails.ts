import { scriptUrl } from "../app/trusted-types.ts";

/** An open PDF whose pages can be drawn as thumbnails. */
export interface Thumbnails {
  readonly count: number;
  /** Draws a page, as wide as a thumbnail or as is said. */
  readonly draw: (page: number, canvas: HTMLCanvasElement, width?: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const WIDTH = 120;

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
