import { type Bytes } from "../../../wire/bytes.ts";
import { type BitmapHeader, rowLength } from "./header.ts";

/** Behind a zero: the end of a row, of the picture, and a jump. From three on so many pixels follow as they are. */
const [END_OF_ROW, END, JUMP] = [0, 1, 2];

/**
 * Unpacks runs of 4 or 8 bits (Win32 "Bitmap Compression") to the rows that they stand for, from bottom to top. What is
 * skipped has the first color. What leaves a row is left out, and where the file ends the rest is the first color: both
 * are damage.
 */
export function unpackRuns(
  packed: Bytes,
  { width, height, bits }: BitmapHeader,
): { rows: Bytes; isDamaged: boolean } {
  const rowBytes = rowLength({ width }, bits);
  const rows = new Uint8Array(rowBytes * height);
  let [at, x, y] = [0, 0, 0];
  let isDamaged = false;
  const put = (value: number) => {
    if (x >= width || y >= height) isDamaged = true;
    else if (bits === 8) rows[y * rowBytes + x] = value;
    else rows[y * rowBytes + (x >> 1)]! |= x % 2 === 0 ? value << 4 : value;
    x++;
  };
  const nibble = (byte: number, i: number) => (bits === 8 ? byte : i % 2 === 0 ? byte >> 4 : byte & 15);
  const next = () => packed[at++] ?? 0;
  while (at + 1 < packed.length) {
    const [count, value] = [next(), next()];
    if (count > 0) for (let i = 0; i < count; i++) put(nibble(value, i));
    else if (value === END) return { rows, isDamaged };
    else if (value === END_OF_ROW) [x, y] = [0, y + 1];
    else if (value === JUMP) [x, y] = [x + next(), y + next()];
    else {
      const bytes = bits === 8 ? value : Math.ceil(value / 2);
      const start = at;
      at += bytes + (bytes % 2);
      for (let i = 0; i < value; i++) put(nibble(packed[start + (bits === 8 ? i : i >> 1)] ?? 0, i));
    }
  }
  // The last row may end like the others, with nothing behind it.
  return { rows, isDamaged: isDamaged || y < height };
}
