import { byteAt } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { nativeZlib } from "../../file/native.ts";
import { inflate } from "../../pdf/filters/flate.ts";
import { unlzw } from "../../pdf/filters/lzw.ts";
import { openBudget } from "../../pdf/limits.ts";
import { damagedImage } from "../image-info.ts";
import { COMPRESSION } from "./tags.ts";

/** Whether this module can unpack pixels of a compression. */
export function canDecompress(compression: number): boolean {
  return Object.hasOwn(METHODS, compression);
}

const unzstd = nativeZlib?.zstdDecompressSync;
const METHODS: Record<number, (data: Uint8Array, mostBytes: number) => Uint8Array> = {
  [COMPRESSION.none]: (data) => data,
  [COMPRESSION.lzw]: (data, mostBytes) => unlzw(data, true, budgetOf(mostBytes)).bytes,
  [COMPRESSION.deflate]: (data, mostBytes) => inflate(data, budgetOf(mostBytes)).bytes,
  [COMPRESSION.oldDeflate]: (data, mostBytes) => inflate(data, budgetOf(mostBytes)).bytes,
  [COMPRESSION.packBits]: unpackBits,
  ...(unzstd && { [COMPRESSION.zstd]: (data, maxOutputLength) => unzstd(data, { maxOutputLength }) }),
};

/**
 * Unpacks one tile or strip (TIFF 6.0, sections 9 and 13; Adobe's TIFF technical notes). `sizeBytes` is the length of
 * its samples, `mostBytes` that of a whole piece: some encoders fill the last strip beyond its last row.
 * @throws ToolFailure damaged_file when it is shorter than its samples, or longer than a whole piece
 */
export function decompress(
  data: Uint8Array,
  { compression, sizeBytes, mostBytes }: { compression: number; sizeBytes: number; mostBytes: number },
): Uint8Array {
  const unpacked = attempt(() => METHODS[compression]?.(data, mostBytes));
  if (!unpacked || unpacked.length < sizeBytes) throw damagedImage("a part of its pixels cannot be unpacked");
  return unpacked.subarray(0, sizeBytes);
}

function attempt(unpack: () => Uint8Array | undefined): Uint8Array | undefined {
  try {
    return unpack();
  } catch (error) {
    // The budget's failure is about documents, and zlib has its own errors: both mean that the data is wrong.
    if (error instanceof ToolFailure || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function budgetOf(mostBytes: number) {
  const budget = openBudget(0);
  budget.inflated.value = mostBytes;
  return budget;
}

/** Runs of one byte, and plain bytes (TIFF 6.0, section 9); stops where there is enough. */
function unpackBits(data: Uint8Array, mostBytes: number): Uint8Array {
  const unpacked = new Uint8Array(mostBytes);
  let size = 0;
  for (let at = 0; at < data.length && size < mostBytes;) {
    const head = byteAt(data, at++);
    if (head < 128) {
      const run = data.subarray(at, at + Math.min(head + 1, mostBytes - size));
      unpacked.set(run, size);
      size += run.length;
      at += head + 1;
    } else if (head > 128) {
      const end = Math.min(mostBytes, size + 257 - head);
      unpacked.fill(data[at++] ?? 0, size, end);
      size = end;
    }
  }
  return unpacked.subarray(0, size);
}
