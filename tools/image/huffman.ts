/** A Huffman code as JPEG stores it, and the code of each symbol. */
export interface HuffmanTable {
  /** How many codes there are of 1 to 16 bits. */
  readonly lengths: readonly number[];
  /** The symbols in the order of their codes. */
  readonly symbols: readonly number[];
  /** By symbol: its code, and the number of its bits. */
  readonly codes: Uint16Array;
  readonly sizes: Uint8Array;
}

const MOST_BITS = 16;

/**
 * The best code for symbols with these counts, with at most 16 bits and never all ones (ITU-T T.81, K.2 and C.2). At
 * least one symbol occurs.
 */
export function makeHuffmanTable(counts: Uint32Array): HuffmanTable {
  const sizes = sizesOf(counts);
  const lengths = limitSizes(sizes);
  const used = [...counts.keys()].filter((symbol) => (counts[symbol] ?? 0) > 0);
  const symbols = used.toSorted((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0) || a - b);
  const table = { codes: new Uint16Array(256), sizes: new Uint8Array(256) };
  let [code, place] = [0, 0];
  for (const [i, count] of lengths.entries()) {
    for (let each = 0; each < count; each++) {
      const symbol = symbols[place++] ?? 0;
      table.codes[symbol] = code++;
      table.sizes[symbol] = i + 1;
    }
    code <<= 1;
  }
  return { lengths, symbols, ...table };
}

/** The length of each symbol's code without a limit. An additional symbol takes the code of all ones. */
function sizesOf(counts: Uint32Array): Uint8Array {
  const sizes = new Uint8Array(257);
  const nodes: { count: number; symbols: readonly number[] }[] = [{ count: 0, symbols: [256] }];
  for (const [symbol, count] of counts.entries()) if (count > 0) nodes.push({ count, symbols: [symbol] });
  while (nodes.length > 1) {
    nodes.sort((a, b) => b.count - a.count || a.symbols.length - b.symbols.length);
    // There are at least two.
    const least = nodes.pop()!;
    const next = nodes.pop()!;
    const symbols = [...least.symbols, ...next.symbols];
    for (const symbol of symbols) sizes[symbol] = (sizes[symbol] ?? 0) + 1;
    nodes.push({ count: least.count + next.count, symbols });
  }
  return sizes;
}

/** The number of codes of each length when none is longer than 16 bits, and that of all ones is left out (K.3). */
function limitSizes(sizes: Uint8Array): number[] {
  const lengths = Array<number>(258).fill(0);
  for (const size of sizes) if (size > 0) lengths[size] = (lengths[size] ?? 0) + 1;
  const add = (size: number, by: number) => (lengths[size] = (lengths[size] ?? 0) + by);
  for (let size = 257; size > MOST_BITS; size--) {
    while ((lengths[size] ?? 0) > 0) {
      let shorter = size - 2;
      while (lengths[shorter] === 0) shorter--;
      // A pair of long codes: one takes the code above both, the other goes beside a shorter one.
      add(size, -2);
      add(size - 1, 1);
      add(shorter + 1, 2);
      add(shorter, -1);
    }
  }
  const longest = lengths.findLastIndex((count) => count > 0);
  add(longest, -1);
  return lengths.slice(1, MOST_BITS + 1);
}
