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
    row(output, 32, [num, at, objects, length]);
  }
  return { bytes: Uint8Array.from(output.bytes), sharedAt, outlineAt };
}

/** The denominator of the fractions that say how early a page needs an object; none is given. */
const DENOMINATOR = 4;

function writePages(output: BitWriter, { pages, firstPageAt }: Hints): void {
  const objects = spread(pages.map((page) => page.objects));
  const lengths = spread(pages.map(({ length }) => length));
  const counts = pages.map(({ shared }) => shared.length);
  const places = pages.flatMap(({ shared }) => shared);
  const [countWidth, placeWidth] = [widthOf(spread(counts).most), widthOf(spread(places).most)];
  row(output, 32, [objects.least, firstPageAt]);
  row(output, 16, [objects.width]);
  row(output, 32, [lengths.least]);
  row(output, 16, [lengths.width]);
  // Content streams are not listed separately from their page.
  row(output, 32, [0]);
  row(output, 16, [0]);
  row(output, 32, [lengths.least]);
  row(output, 16, [lengths.width, countWidth, placeWidth, 0, DENOMINATOR]);
  row(output, objects.width, objects.differences);
  row(output, lengths.width, lengths.differences);
  row(output, countWidth, counts);
  row(output, placeWidth, places);
  row(output, lengths.width, lengths.differences);
}

function writeShared(output: BitWriter, { shared, firstShared }: Hints): void {
  const { least, width, differences } = spread(shared.lengths);
  row(output, 32, [firstShared.num, firstShared.at, shared.ofFirstPage, shared.lengths.length]);
  row(output, 16, [0]);
  row(output, 32, [least]);
  row(output, 16, [width]);
  row(output, width, differences);
  // No object has a signature.
  row(output, 1, Array<number>(differences.length).fill(0));
}

/** Writes numbers of `width` bits each, from one byte boundary to the next. */
function row(output: BitWriter, width: number, values: readonly number[]): void {
  for (const value of values) writeBits(output, value, width);
  while (output.count > 0) writeBits(output, 0, 1);
}

/** The smallest and largest of some numbers, how much each is above the smallest, and the bits that this takes. */
function spread(values: readonly number[]) {
  let [least, most] = [values[0] ?? 0, values[0] ?? 0];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return { least, most, width: widthOf(most - least), differences: values.map((value) => value - least) };
}

/** An output of numbers of any width, highest bit first, as in hint tables. */
interface BitWriter {
  readonly bytes: number[];
  /** Bits that do not fill a byte yet, and their count. */
  held: number;
  count: number;
}

/** Writes a number of at most 32 bits. */
function writeBits(output: BitWriter, value: number, width: number): void {
  for (let bit = width - 1; bit >= 0; bit--) {
    output.held = output.held * 2 + (Math.floor(value / 2 ** bit) % 2);
    if (++output.count === 8) {
      output.bytes.push(output.held);
      output.held = 0;
      output.count = 0;
    }
  }
}

/** The number of bits for numbers up to this one. */
function widthOf(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log2(value)) + 1;
}
