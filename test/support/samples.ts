import { PDFDocument } from "pdf-lib";

/** A PDF of blank pages, each as wide as told, so that a test can recognise them. */
export async function makeBlankPdf(widths: readonly number[] = [200]): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  for (const width of widths) document.addPage([width, 100]);
  return new Uint8Array(await document.save());
}
