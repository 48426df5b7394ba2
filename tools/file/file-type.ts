import { isImageFormat, shortLatin1 } from "../image/image-info.ts";

/** The beginnings of files, by name; the first match counts. Names that are no readable format are for the message. */
const SIGNATURES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["jpeg", /^\xff\xd8\xff/],
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF....WEBP/s],
  // Canon's raw format is a TIFF whose pictures are previews.
  ["cr2", /^(II\x2a\0|MM\0\x2a)....CR/s],
  ["tiff", /^(II[\x2a\x2b]\0|MM\0[\x2a\x2b])/],
  ["heic", /^....ftyp(hei|hev)/s],
  // The major brand or, after its version, one of the compatible ones.
  ["avif", /^....ftyp(....){0,20}avi[fs]/s],
  ["cr3", /^....ftypcrx /s],
  // Files of a MIAF profile name it first, and the format among the compatible brands (ISO/IEC 23000-22).
  ["heic", /^....ftyp(....){0,20}(mif[12]|msf1|miaf|hei[cx])/s],
  ["video", /^....ftyp/s],
  ["bmp", /^BM....\0\0\0\0/s],
  ["ico", /^\0\0[\x01\x02]\0[^\0]/],
  ["jxl", /^(\xff\x0a|\0\0\0\x0cJXL )/],
  ["jp2", /^(\0\0\0\x0cjP |\xff\x4f\xff\x51)/],
  ["psd", /^8BPS/],
  ["exr", /^\x76\x2f\x31\x01/],
  ["dds", /^DDS /],
  ["qoi", /^qoif/],
  ["icns", /^icns/],
  // Netpbm with its comments, and with floating-point values.
  ["pnm", /^P([1-7][\s#]|[Ff]\n)/],
  ["pcx", /^\x0a[\0\x02-\x05]\x01[\x01\x02\x04\x08]/],
  // Raw files of cameras by Fujifilm, Olympus, Panasonic, Canon, Sigma and Minolta.
  ["raf", /^FUJIFILMCCD-RAW/],
  ["orf", /^(IIR[OS]|MMOR)/],
  ["rw2", /^IIU\0/],
  ["crw", /^II....HEAPCCDR/s],
  ["x3f", /^FOVb/],
  ["mrw", /^\0MRM/],
  ["pdf", /^%PDF-/],
  ["zip", /^PK[\x03\x05]/],
  ["gzip", /^\x1f\x8b/],
  ["svg", /^(\xef\xbb\xbf)?\s*(<\?xml|<!--|<!DOCTYPE svg)?[^]*<svg[\s>]/i],
  ["html", /^(\xef\xbb\xbf)?\s*<(!DOCTYPE html|html)/i],
  ["xml", /^(\xef\xbb\xbf)?\s*<\?xml/],
  // Recognized only by its numbers: a type, no colors or a color map, bits per pixel, and no reserved flag.
  [
    "tga",
    /^[^](\0[\x02\x03\x0a\x0b]\0{5}|\x01[\x01\x09]...[\0\x01][\x0f\x10\x18\x20])[^]{8}[\x08\x0f\x10\x18\x20][\0-\x3f]/s,
  ],
];

/**
 * The kind of a file by its content: one of the image formats, another name, "empty", or "unknown". Reads only the first
 * kilobyte.
 */
export function detectFileType(bytes: Uint8Array): string {
  if (bytes.length === 0) return "empty";
  const head = shortLatin1(bytes, { end: 1024 });
  return SIGNATURES.find(([, pattern]) => pattern.test(head))?.[0] ?? "unknown";
}

/** Whether a file is an image in a readable format; equally cheap. */
export function isImage(file: Uint8Array): boolean {
  return isImageFormat(detectFileType(file));
}
