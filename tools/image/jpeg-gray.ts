import type { Pixels } from "./pixels.ts";
import { type Bytes, byteAt, concatBytes } from "../../wire/bytes.ts";
import { type HuffmanTable, makeHuffmanTable } from "./huffman.ts";

/** The order of the coefficients of a block (ITU-T T.81, figure A.6): along its diagonals, up and down in turns. */
const ZIGZAG = Array.from({ length: 64 }, (_, at) => at).sort((a, b) => inZigzag(a) - inZigzag(b));

function inZigzag(at: number): number {
  const [row, column] = [at >> 3, at & 7];
  return 8 * (row + column) + ((row + column) % 2 === 1 ? row : column);
}

/** The quantization of brightness at quality 50 (K.1), row by row. */
const QUANTIZATION = [
  ...[16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56],
  ...[14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92],
  ...[49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99],
] as const;

/** The value of wave `u` at `x`: the discrete cosine transform of 8 values (A.3.3), by 8 * u + x. */
const COSINES = Float32Array.from({ length: 64 }, (_, i) => {
  const [u, x] = [i >> 3, i & 7];
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16);
});

const SIDE = 8;
const END_OF_BLOCK = 0x00;
const SIXTEEN_ZEROS = 0xf0;

/** One channel of 8 bits, row by row. */
type GrayPixels = Omit<Pixels, "channels">;

/** A JPEG before its codes are known: symbols with the bits that follow each. */
interface Symbols {
  /** A symbol, plus 256 for those of the first coefficients, which have their own table. */
  codes: Uint16Array;
  extras: Uint16Array;
  count: number;
}

/**
 * Writes gray pixels as a baseline JPEG with codes made for them (ITU-T T.81), where a canvas only writes three channels.
 * `quality` is that of libjpeg, 1 to 100.
 */
export function writeGrayJpeg(pixels: GrayPixels, quality: number): Bytes {
  const quantization = quantizationAt(quality);
  const symbols = encodeBlocks(pixels, quantization);
  const tables = [tableOf(symbols, 256), tableOf(symbols, 0)] as const;
  const { width, height } = pixels;
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return concatBytes(
    Uint8Array.of(0xff, 0xd8),
    segment(0xe0, [...new TextEncoder().encode("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...ZIGZAG.map((at) => quantization[at] ?? 1)]),
    segment(0xc0, [8, ...size, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, ...tables[0].lengths, ...tables[0].symbols]),
    segment(0xc4, [0x10, ...tables[1].lengths, ...tables[1].symbols]),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    writeCodes(symbols, tables),
    Uint8Array.of(0xff, 0xd9),
  );
}

function segment(marker: number, body: readonly number[]): Bytes {
  const length = body.length + 2;
  return Uint8Array.of(0xff, marker, length >> 8, length & 255, ...body);
}

/** The table as libjpeg scales it. */
function quantizationAt(quality: number): Uint8Array {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return Uint8Array.from(QUANTIZATION, (value) =>
    Math.min(255, Math.max(1, Math.floor((value * percent + 50) / 100))),
  );
}

function encodeBlocks(pixels: GrayPixels, quantization: Uint8Array): Symbols {
  const symbols: Symbols = { codes: new Uint16Array(4096), extras: new Uint16Array(4096), count: 0 };
  const block = new Float32Array(64);
  let previous = 0;
  for (let y = 0; y < pixels.height; y += SIDE) {
    for (let x = 0; x < pixels.width; x += SIDE) {
      readBlock(pixels, { x, y, block });
      transform(block);
      previous = addBlock(symbols, { block, quantization, previous });
    }
  }
  return symbols;
}

/** The 64 pixels from here on, centred on 0; beyond the edge the last ones are repeated. */
function readBlock(
  { width, height, data }: GrayPixels,
  { x, y, block }: { x: number; y: number; block: Float32Array },
): void {
  for (let i = 0; i < 64; i++) {
    const row = Math.min(height - 1, y + (i >> 3));
    block[i] = byteAt(data, row * width + Math.min(width - 1, x + (i & 7))) - 128;
  }
}

const half = new Float32Array(64);

/** The cosine transform in both directions, in place. */
function transform(block: Float32Array): void {
  alongRows(block, half);
  alongRows(half, block);
}

/** Transforms the rows, and writes them as columns. */
function alongRows(from: Float32Array, to: Float32Array): void {
  for (let row = 0; row < 64; row += 8) {
    for (let u = 0; u < 8; u++) {
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += (from[row + x] ?? 0) * (COSINES[8 * u + x] ?? 0);
      to[8 * u + (row >> 3)] = sum;
    }
  }
}

/**
 * Adds the symbols of a block (F.1.2), its first coefficient as the difference from the previous block's; returns that
 * coefficient.
 */
function addBlock(
  symbols: Symbols,
  { block, quantization, previous }: { block: Float32Array; quantization: Uint8Array; previous: number },
): number {
  const first = quantized(block, quantization, 0);
  addNumber(symbols, 256, first - previous);
  let zeros = 0;
  for (const at of ZIGZAG) {
    if (at === 0) continue;
    const number = quantized(block, quantization, at);
    if (number === 0) {
      zeros++;
      continue;
    }
    for (; zeros > 15; zeros -= 16) add(symbols, SIXTEEN_ZEROS, 0);
    addNumber(symbols, zeros << 4, number);
    zeros = 0;
  }
  if (zeros > 0) add(symbols, END_OF_BLOCK, 0);
  return first;
}

function quantized(block: Float32Array, quantization: Uint8Array, at: number): number {
  return Math.round((block[at] ?? 0) / (quantization[at] ?? 1));
}

/** A number as how many bits it has, in the symbol, and these bits; those of a negative one are inverted. */
function addNumber(symbols: Symbols, prefix: number, number: number): void {
  const size = 32 - Math.clz32(Math.abs(number));
  add(symbols, prefix | size, number < 0 ? number + 2 ** size - 1 : number);
}

function add(symbols: Symbols, code: number, extra: number): void {
  if (symbols.count === symbols.codes.length) {
    symbols.codes = grown(symbols.codes);
    symbols.extras = grown(symbols.extras);
  }
  symbols.codes[symbols.count] = code;
  symbols.extras[symbols.count++] = extra;
}

function grown(list: Uint16Array): Uint16Array {
  const larger = new Uint16Array(list.length * 2);
  larger.set(list);
  return larger;
}

function tableOf({ codes, count }: Symbols, prefix: number): HuffmanTable {
  const counts = new Uint32Array(256);
  for (let i = 0; i < count; i++) {
    const code = codes[i] ?? 0;
    if ((code & 256) === prefix) counts[code & 255] = (counts[code & 255] ?? 0) + 1;
  }
  return makeHuffmanTable(counts);
}

function writeCodes(
  { codes, extras, count }: Symbols,
  [first, rest]: readonly [HuffmanTable, HuffmanTable],
): Bytes {
  // 16 bits for a code, 16 for a number, and each byte may need a zero after it (F.1.2.3).
  let out = new Uint8Array(count * 4 + 8);
  let [length, held, bits] = [0, 0, 0];
  const put = (value: number, size: number): void => {
    held = (held << size) | value;
    for (bits += size; bits >= 8; bits -= 8) {
      const byte = (held >> (bits - 8)) & 255;
      out[length++] = byte;
      if (byte === 255) out[length++] = 0;
    }
    held &= 255;
  };
  for (let i = 0; i < count; i++) {
    if (length + 16 > out.length) out = concatBytes(out, new Uint8Array(out.length));
    const code = codes[i] ?? 0;
    const symbol = code & 255;
    const table = code & 256 ? first : rest;
    put(table.codes[symbol] ?? 0, table.sizes[symbol] ?? 0);
    put(extras[i] ?? 0, symbol & 15);
  }
  if (bits > 0) put(2 ** (8 - bits) - 1, 8 - bits);
  return out.subarray(0, length);
}
