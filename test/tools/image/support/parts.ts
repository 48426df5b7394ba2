// Lists what a result is made of, sharing no code with the tool: every part by name, in the order of the file.

const text = (bytes: Uint8Array, start: number, length: number) =>
  Buffer.from(bytes.subarray(start, start + length)).toString("latin1");

/** The markers of a JPEG as hex, with the label of an application segment. */
function jpegParts(bytes: Buffer): string[] {
  const parts: string[] = [];
  for (let at = 2; bytes[at + 1] !== 0xd9;) {
    const marker = bytes[at + 1]!;
    const isApplication = marker >= 0xe0 && marker <= 0xef;
    parts.push(marker.toString(16) + (isApplication ? text(bytes, at + 4, 8) : ""));
    at += 2 + bytes.readUInt16BE(at + 2);
    while (
      marker === 0xda &&
      !(bytes[at] === 0xff && bytes[at + 1]! >= 0xc0 && (bytes[at + 1]! & 0xf8) !== 0xd0)
    )
      at++;
  }
  return parts;
}

function pngParts(bytes: Buffer): string[] {
  const parts: string[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) parts.push(text(bytes, at + 4, 4));
  return parts;
}

function webpParts(bytes: Buffer): string[] {
  const parts: string[] = [];
  for (let at = 12; at < bytes.length;) {
    parts.push(text(bytes, at, 4));
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return parts;
}

/** All boxes, also those inside of the boxes that hold others; items by their type, colours by their kind. */
function avifParts(bytes: Buffer, start = 0, end = bytes.length): string[] {
  const inside: Record<string, number> = { meta: 12, iprp: 8, ipco: 8, iinf: 14 };
  const parts: string[] = [];
  for (let at = start; at < end;) {
    const length = bytes.readUInt32BE(at) || end - at;
    const type = text(bytes, at + 4, 4);
    const detail = type === "infe" ? text(bytes, at + 16, 4) : type === "colr" ? text(bytes, at + 8, 4) : "";
    parts.push(type + detail);
    if (inside[type]) parts.push(...avifParts(bytes, at + inside[type], at + length));
    at += length;
  }
  return parts;
}

const LISTS = { jpeg: jpegParts, png: pngParts, webp: webpParts, avif: avifParts };

/** The only parts that a result may have. */
const ALLOWED = {
  jpeg: /^(db|c0|c2|c4|da|dd|eeAdobe.*)$/s,
  png: /^(IHDR|PLTE|tRNS|IDAT|IEND|sRGB|gAMA|cHRM|sBIT|bKGD)$/,
  webp: /^(VP8X|VP8 |VP8L|ALPH|ANIM|ANMF)$/,
  avif: /^(ftyp|meta|hdlr|iloc|iinf|infeav01|pitm|iprp|ipco|av1C|ispe|pixi|ipma|mdat|iref|auxC|colrnclx)$/,
};

/** The parts of a result that should not be there. */
export function strangeParts(bytes: Uint8Array, format: keyof typeof LISTS): string[] {
  return LISTS[format](Buffer.from(bytes)).filter((part) => !ALLOWED[format].test(part));
}
