export interface Hints {
  readonly pages: readonly {
    readonly objects: number;
    readonly length: number;
    /** Indexes in the list of shared objects of those that this page needs too. */
    readonly shared: readonly number[];
  }[];
  /** The offset of the first page in a file without hints. */
  readonly firstPageAt: number;
  /** The lengths of all objects of the first page, followed by those that other pages share. */
  readonly shared: { readonly ofFirstPage: number; readonly lengths: readonly number[] };
  /** The first shared object outside the first page and its offset; 0 if there is none. */
  readonly firstShared: { readonly num: number; readonly at: number };
  readonly outline:
    | { readonly num: number; readonly at: number; readonly objects: number; readonly length: number }
    | undefined;
}

/** The hint tables (ISO 32000-2, F.4), with the offsets of the second and third. */
export function writeHints(hints: Hints): {
  bytes: Uint8Array<ArrayBuffer>;
  sharedAt: number;
  outlineAt: number | undefined;
} {
  const output: BitWriter = { bytes: [], held: 0, count: 0 };
  writePages(output, hints);
  const sharedAt = output.bytes.length;
  writeShared(output, hints);
  const outlineAt = hints.outline && output.bytes.length;
  if (hints.outline) {
    const { num, at, objects, length } = hints.outline;
    for (const value of [num, at, objects, length]) writeBits(output, { value, width: 32 });
  }
  return { bytes: Uint8Array.from(output.bytes), sharedAt, outlineAt };
}

/** The denominator of the fractions that say how early a page needs an object; none is given. */
const DENOMINATOR = 4;

function writePages(output: BitWriter, { pages, firstPageAt }: Hints): void {
  const objects = spread(pages.map((page) => page.objects));
  const lengths = spread(pages.map(({ length }) => length));
  const counts = spread(pages.map(({ shared }) => shared.length));
  const highest = pages.reduce((most, { shared }) => shared.reduce((a, b) => Math.max(a, b), most), 0);
  const [count, place] = [widthOf(counts.most), widthOf(highest)];
  // Content streams are not listed separately from their page.
  const header: readonly (readonly [value: number, width: number])[] = [
    ...([
      [objects.least, 32],
      [firstPageAt, 32],
      [objects.width, 16],
    ] as const),
    ...([
      [lengths.least, 32],
      [lengths.width, 16],
      [0, 32],
      [0, 16],
    ] as const),
    ...([
      [lengths.least, 32],
      [lengths.width, 16],
      [count, 16],
      [place, 16],
      [0, 16],
      [DENOMINATOR, 16],
    ] as const),
  ];
  for (const [value, width] of header) writeBits(output, { value, width });
  row(
    output,
    pages.map((page) => page.objects - objects.least),
    objects.width,
  );
  row(
    output,
    pages.map(({ length }) => length - lengths.least),
    lengths.width,
  );
  row(
    output,
    pages.map(({ shared }) => shared.length),
    count,
  );
  row(
    output,
    pages.flatMap(({ shared }) => shared),
    place,
  );
  row(
    output,
    pages.map(({ length }) => length - lengths.least),
    lengths.width,
  );
}

function writeShared(output: BitWriter, { shared, firstShared }: Hints): void {
  const { least, width } = spread(shared.lengths);
  const header: readonly (readonly [value: number, width: number])[] = [
    ...([
      [firstShared.num, 32],
      [firstShared.at, 32],
      [shared.ofFirstPage, 32],
      [shared.lengths.length, 32],
    ] as const),
    ...([
      [0, 16],
      [least, 32],
      [width, 16],
    ] as const),
  ];
  for (const [value, bits] of header) writeBits(output, { value, width: bits });
  row(
    output,
    shared.lengths.map((length) => length - least),
    width,
  );
  // No object has a signature.
  row(
    output,
    shared.lengths.map(() => 0),
    1,
  );
}

function row(output: BitWriter, values: readonly number[], width: number): void {
  for (const value of values) writeBits(output, { value, width });
  alignBits(output);
}

/** The smallest and largest of some numbers, and the number of bits for their difference. */
function spread(values: readonly number[]): { least: number; most: number; width: number } {
  let [least, most] = [values[0] ?? 0, values[0] ?? 0];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return { least, most, width: widthOf(most - least) };
}

/** An output of numbers of any width, highest bit first, as in hint tables. */
interface BitWriter {
  readonly bytes: number[];
  /** Bits that do not fill a byte yet, and their count. */
  held: number;
  count: number;
}

/** Writes a number of at most 32 bits. */
function writeBits(output: BitWriter, { value, width }: { value: number; width: number }): void {
  for (let bit = width - 1; bit >= 0; bit--) {
    output.held = output.held * 2 + (Math.floor(value / 2 ** bit) % 2);
    if (++output.count === 8) {
      output.bytes.push(output.held);
      output.held = 0;
      output.count = 0;
    }
  }
}

/** Fills the last byte: each row of a hint table starts at a byte boundary. */
function alignBits(output: BitWriter): void {
  while (output.count > 0) writeBits(output, { value: 0, width: 1 });
}

/** The number of bits for numbers up to this one. */
function widthOf(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log2(value)) + 1;
}
