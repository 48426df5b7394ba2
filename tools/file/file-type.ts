import { latin1 } from "../image/image-info.ts";
import { findKeyword } from "../pdf/syntax/lexer.ts";

/** What a file begins with, by name; the first that fits counts. Those that are no readable format are for the message. */
const SIGNATURES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["jpeg", /^\xff\xd8\xff/],
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF....WEBP/s],
  ["tiff", /^(II\x2a\0|MM\0\x2a)/],
  ["heic", /^....ftyp(hei|hev)/s],
  // The major brand or, behind its version, one of the compatible ones.
  ["avif", /^....ftyp(....){0,20}avi[fs]/s],
  ["heic", /^....ftyp(mif1|msf1)/s],
  ["video", /^....ftyp/s],
  ["bigtiff", /^(II\x2b\0|MM\0\x2b)/],
  ["bmp", /^BM....\0\0\0\0/s],
  ["ico", /^\0\0[\x01\x02]\0/],
  ["jxl", /^(\xff\x0a|\0\0\0\x0cJXL )/],
  ["jp2", /^(\0\0\0\x0cjP |\xff\x4f\xff\x51)/],
  ["psd", /^8BPS/],
  ["exr", /^\x76\x2f\x31\x01/],
  ["pdf", /^%PDF-/],
  ["zip", /^PK[\x03\x05]/],
  ["gzip", /^\x1f\x8b/],
  ["svg", /^(\xef\xbb\xbf)?\s*(<\?xml|<!--|<!DOCTYPE svg)?[^]*<svg[\s>]/i],
  ["html", /^(\xef\xbb\xbf)?\s*<(!DOCTYPE html|html)/i],
  ["xml", /^(\xef\xbb\xbf)?\s*<\?xml/],
];

/**
 * Tells by content what a file is: one of the image formats, another name, or "unknown". Reads the first
 * kilobyte only.
 */
export function detectFileType(bytes: Uint8Array): string {
  const head = latin1(bytes, { end: 1024 });
  return SIGNATURES.find(([, pattern]) => pattern.test(head))?.[0] ?? "unknown";
}

/** Whether anything in these bytes is what only a PDF has; the header of some is damaged. */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return ["%PDF-", "endobj", "startxref"].some((word) => findKeyword(bytes, { word }) >= 0);
}
