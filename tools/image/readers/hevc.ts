import { type PartCounter, viewOf } from "../image-info.ts";
import { type BitReader, makeBitReader } from "./boxes.ts";

const SEQUENCE_PARAMETER_SET = 33;
/** Where the lists of parameter sets begin in a configuration record (ISO/IEC 14496-15, 8.3.3.1). */
const ARRAYS_AT = 22;
const MAX_ZEROS = 32;
/** The size of the picture is in the first hundred bytes of a parameter set. */
const MOST_BYTES = 1024;

/**
 * Gives the largest picture, in pixels, that the sequence parameter sets of an HEVC configuration record announce.
 * @throws RangeError when it is cut
 */
export function readHevcConfigPixels(record: Uint8Array, countUnit: PartCounter): number {
  const view = viewOf(record);
  let most = 0;
  let at = ARRAYS_AT + 1;
  for (let arrays = view.getUint8(ARRAYS_AT); arrays > 0; arrays--) {
    const count = view.getUint16(at + 1);
    at += 3;
    for (let i = 0; i < count; i++) {
      countUnit();
      const length = view.getUint16(at);
      most = Math.max(most, readUnitPixels(record.subarray(at + 2, at + 2 + length)));
      at += 2 + length;
    }
  }
  return most;
}

/** Gives the largest picture, in pixels, of the units in the stream itself, each after its length of four bytes. */
export function readHevcStreamPixels(stream: Uint8Array, countUnit: PartCounter): number {
  const view = viewOf(stream);
  let most = 0;
  for (let at = 0; at + 4 < stream.length;) {
    countUnit();
    const end = at + 4 + view.getUint32(at);
    if (end > stream.length) break;
    most = Math.max(most, readUnitPixels(stream.subarray(at + 4, end)));
    at = end;
  }
  return most;
}

function readUnitPixels(unit: Uint8Array): number {
  if (((unit[0] ?? 0) >> 1) % 64 !== SEQUENCE_PARAMETER_SET) return 0;
  const bits = makeBitReader(dropEmulationPrevention(unit.subarray(2, MOST_BYTES)));
  bits(4); // sps_video_parameter_set_id
  const subLayers = bits(3); // sps_max_sub_layers_minus1
  bits(1);
  skipProfileTierLevel(bits, subLayers);
  readExpGolomb(bits); // sps_seq_parameter_set_id
  const chromaFormat = readExpGolomb(bits);
  if (chromaFormat === 3) bits(1);
  return readExpGolomb(bits) * readExpGolomb(bits);
}

/** ITU-T H.265, 7.3.3. */
function skipProfileTierLevel(bits: BitReader, subLayers: number): void {
  bits(96);
  const present: [profile: number, level: number][] = [];
  for (let i = 0; i < subLayers; i++) present.push([bits(1), bits(1)]);
  if (subLayers > 0) bits(2 * (8 - subLayers));
  for (const [profile, level] of present) bits(88 * profile + 8 * level);
}

function readExpGolomb(bits: BitReader): number {
  let zeros = 0;
  while (bits(1) === 0) if (++zeros > MAX_ZEROS) throw new RangeError("A number of the stream does not end");
  return 2 ** zeros - 1 + bits(zeros);
}

/** Removes the 3 of each 00 00 03 (7.3.1.1). */
function dropEmulationPrevention(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => !(byte === 3 && i >= 2 && bytes[i - 1] === 0 && bytes[i - 2] === 0));
}
