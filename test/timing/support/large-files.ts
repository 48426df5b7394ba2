import { crc32 } from "node:zlib";

export const MEBIBYTE = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** A body in pieces, as they come from a socket. */
export function pieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + PIECE_BYTES));
        at += PIECE_BYTES;
      },
    },
    { highWaterMark: 0 },
  );
}

/** A PDF of one page, whose content is so long that the file has this size, about. */
export function largePdf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const content = Buffer.alloc(sizeBytes - 1024, "0 0 m ");
  const objects = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    Buffer.from("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>"),
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
      content,
      Buffer.from("\nendstream"),
    ]),
  ];
  const parts = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, { length }) => sum + length, 0));
    parts.push(Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from("\nendobj\n"));
  }
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 5\n0000000000 65535 f \n${rows}trailer << /Size 5 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** Length, type and checksum of the last chunk. */
const END_BYTES = 12;

/** A PNG of one pixel, with a chunk that nobody knows, which fills the file to this size. */
export function largePng(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const pixel = Buffer.from(PIXEL, "base64");
  const filling = Buffer.alloc(sizeBytes - pixel.length - END_BYTES, "filling ");
  const named = Buffer.concat([Buffer.from("fiLl"), filling]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(filling.length);
  sum.writeUInt32BE(crc32(named));
  const end = pixel.length - END_BYTES;
  return new Uint8Array(Buffer.concat([pixel.subarray(0, end), length, named, sum, pixel.subarray(end)]));
}
