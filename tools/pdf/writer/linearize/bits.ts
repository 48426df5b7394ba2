/** Numbers of any width, the highest bit first, as hint tables have them. */
export interface BitWriter {
  readonly bytes: number[];
  /** Bits that wait for a whole byte, and how many. */
  held: number;
  count: number;
}

export function createBitWriter(): BitWriter {
  return { bytes: [], held: 0, count: 0 };
}

/** Writes a number of at most 32 bits. */
export function writeBits(output: BitWriter, { value, width }: { value: number; width: number }): void {
  for (let bit = width - 1; bit >= 0; bit--) {
    output.held = output.held * 2 + (Math.floor(value / 2 ** bit) % 2);
    if (++output.count === 8) {
      output.bytes.push(output.held);
      output.held = 0;
      output.count = 0;
    }
  }
}

/** Fills the last byte: each row of a hint table begins with a byte of its own. */
export function alignBits(output: BitWriter): void {
  while (output.count > 0) writeBits(output, { value: 0, width: 1 });
}

/** Bits that numbers up to this one need. */
export function widthOf(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log2(value)) + 1;
}
