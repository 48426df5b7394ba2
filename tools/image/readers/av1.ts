import type { PartCounter } from "../../file/part-counter.ts";
import { type BitReader, makeBitReader } from "./bits.ts";
import { viewOf } from "../image-info.ts";

const SEQUENCE_HEADER = 1;

/**
 * Gives the largest picture, in pixels, that the sequence headers of an AV1 stream announce (AV1 specification,
 * 5.3 to 5.5): what a decoder makes room for, whatever the container around it says.
 * @throws ToolFailure too_complex; RangeError when the stream is cut
 */
export function readAv1Pixels(stream: Uint8Array, count: PartCounter): number {
  const view = viewOf(stream);
  let most = 0;
  for (let at = 0; at < stream.length;) {
    count();
    const header = view.getUint8(at++);
    if (header & 4) at++;
    // Without a size the unit runs to the end.
    let length = stream.length - at;
    if (header & 2) [length, at] = readLeb128(view, at);
    const unit = stream.subarray(at, at + length);
    if (((header >> 3) & 15) === SEQUENCE_HEADER) most = Math.max(most, readSequencePixels(unit));
    at += length;
  }
  return most;
}

function readLeb128(view: DataView, start: number): [value: number, end: number] {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = view.getUint8(start + i);
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return [value, start + i + 1];
  }
  throw new RangeError("A number of the stream does not end");
}

function readSequencePixels(unit: Uint8Array): number {
  const bits = makeBitReader(unit);
  bits(4);
  const isReduced = bits(1) === 1;
  if (isReduced) bits(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits(4) + 1, bits(4) + 1];
  return (bits(widthBits) + 1) * (bits(heightBits) + 1);
}

/** The names in the comments are those of the specification's syntax tables. */
function skipOperatingPoints(bits: BitReader): void {
  let delayBits = 0;
  if (bits(1)) delayBits = skipTiming(bits); // timing_info_present_flag
  const hasDelay = bits(1); // initial_display_delay_present_flag
  const points = bits(5) + 1; // operating_points_cnt_minus_1
  for (let i = 0; i < points; i++) {
    bits(12); // operating_point_idc
    if (bits(5) > 7) bits(1); // seq_level_idx, seq_tier
    if (delayBits > 0 && bits(1)) bits(2 * delayBits + 1); // operating_parameters_info
    if (hasDelay && bits(1)) bits(4); // initial_display_delay_minus_1
  }
}

/** Gives the length of the delays that follow for each operating point, or 0. */
function skipTiming(bits: BitReader): number {
  bits(64); // num_units_in_display_tick, time_scale
  if (bits(1)) skipVariableLength(bits); // equal_picture_interval, num_ticks_per_picture_minus_1
  if (!bits(1)) return 0; // decoder_model_info_present_flag
  const delayBits = bits(5) + 1; // buffer_delay_length_minus_1
  bits(42); // num_units_in_decoding_tick, two lengths
  return delayBits;
}

function skipVariableLength(bits: BitReader): void {
  let zeros = 0;
  while (bits(1) === 0) zeros++;
  if (zeros < 32) bits(zeros);
}
