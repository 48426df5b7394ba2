// The compression function of BLAKE3 (specification, 2.2) in WebAssembly, written by hand as there is no library for it
// with vectors: four chunks or four parents are worked on at once, each in a lane of its own.

/** Section 2.1: the first of SHA-256's. */
const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
/** Section 2.2, table 2. */
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
/** Section 2.2, figure 2: columns, then diagonals. */
const MIXED = [
  ...[0, 1, 2, 3].map((i) => [i, 4 + i, 8 + i, 12 + i] as const),
  ...[0, 1, 2, 3].map((i) => [i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4)] as const),
];
const ROUNDS = 7;

/** Section 2.2, table 3. */
export const FLAG = { chunkStart: 1, chunkEnd: 2, parent: 4, root: 8 } as const;
export const LANES = 4;
export const BLOCK_BYTES = 64;
export const VALUE_BYTES = 32;

/**
 * Hashes four inputs of the same number of blocks, which begin `stride` bytes apart, and writes their four chaining
 * values to `target`. All places are in its memory. The first block has `firstFlags`, the last one `lastFlags` and
 * `lastLength`. The counter of the second input is `step` more than that of the first, and so on.
 */
export type Kernel = (
  source: number,
  stride: number,
  blocks: number,
  counterLow: number,
  counterHigh: number,
  step: number,
  firstFlags: number,
  lastFlags: number,
  lastLength: number,
  target: number,
) => void;

type Code = readonly number[];

// WebAssembly core specification 2.0: 5.2.2 numbers, 5.4 instructions.
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number): Code => [0x21, ...unsigned(local)];
const tee = (local: number): Code => [0x22, ...unsigned(local)];
const i32 = (value: number): Code => [0x41, ...signed(value | 0)];
const [ADD, SUBTRACT, MULTIPLY, OR, EQUAL, SELECT] = [0x6a, 0x6b, 0x6c, 0x72, 0x46, 0x1b];
const [LOOP, BRANCH_IF, END, NO_RESULT] = [0x03, 0x0d, 0x0b, 0x40];
const [I32, V128] = [0x7f, 0x7b];
const vector = (operation: number, ...rest: Code): Code => [0xfd, ...unsigned(operation), ...rest];
const load = (offset: number) => vector(0, 0, ...unsigned(offset));
const store = (offset: number) => vector(11, 0, ...unsigned(offset));
/** Takes words of two vectors, of which the second has the words 4 to 7. */
const pick = (...words: Code) => vector(13, ...words.flatMap((word) => bytes(4 * word)));
const SPLAT = vector(17);
const [V_OR, V_XOR, V_SHIFT_LEFT, V_SHIFT_RIGHT, V_ADD, V_MULTIPLY] = [80, 81, 171, 173, 174, 181].map(
  (each) => vector(each),
) as [Code, Code, Code, Code, Code, Code];
const LANE_NUMBERS = vector(12, ...[0, 1, 2, 3].flatMap((lane) => [lane, 0, 0, 0]));

function bytes(first: number): number[] {
  return [first, first + 1, first + 2, first + 3];
}

const [SOURCE, STRIDE, BLOCKS, LOW, HIGH, STEP, FIRST_FLAGS, LAST_FLAGS, LAST_LENGTH, TARGET] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;
const PARAMETERS = 10;
const [FLAGS, PLACE] = [10, 11];
const INTEGERS = 5;
const [MESSAGE, STATE, CHAINED, SPARE, COUNTER] = [15, 31, 47, 55, 56];
const VECTORS = 42;

/** Rotates what is on the stack to the right. */
function rotate(bits: number): Code {
  const twice = [...set(SPARE), ...get(SPARE)];
  if (bits % 8 !== 0) {
    const right = [...twice, ...i32(bits), ...V_SHIFT_RIGHT];
    return [...right, ...get(SPARE), ...i32(32 - bits), ...V_SHIFT_LEFT, ...V_OR];
  }
  const places = [0, 4, 8, 12].flatMap((word) => [0, 1, 2, 3].map((byte) => word + ((byte + bits / 8) % 4)));
  return [...twice, ...get(SPARE), ...vector(13, ...places)];
}

/** The quarter-round: section 2.2. */
function mix([a, b, c, d]: readonly [number, number, number, number], x: number, y: number): Code {
  const half = (message: number, [first, second]: readonly [number, number]): Code => [
    ...[...get(a), ...get(b), ...V_ADD, ...get(message), ...V_ADD, ...set(a)],
    ...[...get(d), ...get(a), ...V_XOR, ...rotate(first), ...set(d)],
    ...[...get(c), ...get(d), ...V_ADD, ...set(c)],
    ...[...get(b), ...get(c), ...V_XOR, ...rotate(second), ...set(b)],
  ];
  return [...half(x, [16, 12]), ...half(y, [8, 7])];
}

/** Turns four vectors of a lane each into four of a word each, or back. The state is free meanwhile. */
function transpose(first: number): Code {
  const two = (a: number, b: number, words: Code, into: number) => [
    ...get(a),
    ...get(b),
    ...words,
    ...set(into),
  ];
  const [low, high, lower, upper] = [pick(0, 4, 1, 5), pick(2, 6, 3, 7), pick(0, 1, 4, 5), pick(2, 3, 6, 7)];
  const [a, b, c, d] = [first, first + 1, first + 2, first + 3];
  return [
    ...[...two(a, b, low, STATE), ...two(c, d, low, STATE + 1)],
    ...[...two(a, b, high, STATE + 2), ...two(c, d, high, STATE + 3)],
    ...[...two(STATE, STATE + 1, lower, a), ...two(STATE, STATE + 1, upper, b)],
    ...[...two(STATE + 2, STATE + 3, lower, c), ...two(STATE + 2, STATE + 3, upper, d)],
  ];
}

const repeat = (count: number, code: (i: number) => Code): Code =>
  Array.from({ length: count }, (_, i) => code(i)).flat();

function compress(): Code {
  const isLast = [...get(BLOCKS), ...i32(1), EQUAL];
  const flags = [...get(FLAGS), ...get(LAST_FLAGS), ...i32(0), ...isLast, SELECT, OR];
  const length = [...get(LAST_LENGTH), ...i32(BLOCK_BYTES), ...isLast, SELECT];
  let words = Array.from({ length: 16 }, (_, i) => MESSAGE + i);
  const rounds = repeat(ROUNDS, () => {
    const round = MIXED.flatMap(([a, b, c, d], i) =>
      mix([STATE + a, STATE + b, STATE + c, STATE + d], words[2 * i] ?? 0, words[2 * i + 1] ?? 0),
    );
    words = PERMUTATION.map((from) => words[from] ?? 0);
    return round;
  });
  return [
    ...repeat(4, (quarter) => [
      ...repeat(LANES, (lane) => [
        ...get(PLACE + lane),
        ...load(16 * quarter),
        ...set(MESSAGE + 4 * quarter + lane),
      ]),
      ...transpose(MESSAGE + 4 * quarter),
    ]),
    ...repeat(8, (i) => [...get(CHAINED + i), ...set(STATE + i)]),
    ...repeat(4, (i) => [...i32(IV[i] ?? 0), ...SPLAT, ...set(STATE + 8 + i)]),
    ...[...get(COUNTER), ...set(STATE + 12), ...get(HIGH), ...SPLAT, ...set(STATE + 13)],
    ...[...length, ...SPLAT, ...set(STATE + 14), ...flags, ...SPLAT, ...set(STATE + 15)],
    ...rounds,
    ...repeat(8, (i) => [...get(STATE + i), ...get(STATE + 8 + i), ...V_XOR, ...set(CHAINED + i)]),
  ];
}

function kernelCode(): Code {
  const isMore = [...get(BLOCKS), ...i32(1), SUBTRACT, ...tee(BLOCKS)];
  return [
    ...repeat(8, (i) => [...i32(IV[i] ?? 0), ...SPLAT, ...set(CHAINED + i)]),
    ...repeat(LANES, (lane) => [
      ...[...get(SOURCE), ...get(STRIDE), ...i32(lane)],
      ...[MULTIPLY, ADD, ...set(PLACE + lane)],
    ]),
    ...[...get(STEP), ...SPLAT, ...LANE_NUMBERS, ...V_MULTIPLY],
    ...[...get(LOW), ...SPLAT, ...V_ADD, ...set(COUNTER), ...get(FIRST_FLAGS), ...set(FLAGS)],
    ...[LOOP, NO_RESULT, ...compress()],
    ...repeat(LANES, (lane) => [...get(PLACE + lane), ...i32(BLOCK_BYTES), ADD, ...set(PLACE + lane)]),
    ...[...i32(0), ...set(FLAGS), ...isMore, BRANCH_IF, 0, END],
    ...[...transpose(CHAINED), ...transpose(CHAINED + 4)],
    ...repeat(LANES, (lane) => [
      ...[...get(TARGET), ...get(CHAINED + lane), ...store(VALUE_BYTES * lane)],
      ...[...get(TARGET), ...get(CHAINED + 4 + lane), ...store(VALUE_BYTES * lane + 16)],
    ]),
    END,
  ];
}

/** The module, whose memory has `pages` pages of 64 KiB: core specification 2.0, 5.5. */
function moduleBytes(pages: number): Uint8Array<ArrayBuffer> {
  // Types, functions, memory, exports, code.
  const list = (...items: Code[]) => [...unsigned(items.length), ...items.flat()];
  const section = (id: number, content: Code) => [id, ...unsigned(content.length), ...content];
  const name = (text: string) => [...unsigned(text.length), ...new TextEncoder().encode(text)];
  const locals = list([INTEGERS, I32], [VECTORS, V128]);
  const code = [...locals, ...kernelCode()];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([0x60, ...list(...Array.from({ length: PARAMETERS }, () => [I32])), 0])),
    ...section(3, list([0])),
    ...section(5, list([0, ...unsigned(pages)])),
    ...section(7, list([...name("memory"), 2, 0], [...name("kernel"), 0, 0])),
    ...section(10, list([...unsigned(code.length), ...code])),
  ]);
}

/** Compiling takes as long as hashing some megabytes, and a new module is slow until it is compiled again. */
let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * Makes a kernel and its memory, which has the same number of pages of 64 KiB each time.
 * @throws CompileError where vectors are not known or WebAssembly must not be compiled
 */
export async function makeKernel(
  pages: number,
): Promise<{ readonly kernel: Kernel; readonly memory: WebAssembly.Memory }> {
  compiled ??= WebAssembly.compile(moduleBytes(pages));
  const { exports } = await WebAssembly.instantiate(await compiled);
  return exports as { kernel: Kernel; memory: WebAssembly.Memory };
}
