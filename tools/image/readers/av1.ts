import { type PartCounter, viewOf } from "../image-info.ts";
import { type BitReader, makeBitReader } from "./boxes.ts";

const SEQUENCE_HEADER = 1;

/** What an AV1 sequence header says about its pictures. */
interface Sequence {
  /** Pixels of the largest picture. */
  readonly pixels: number;
  /** Brightness in video range: 16 is black and 235 is white. */
  readonly isLimitedGray: boolean;
  readonly isMonochrome: boolean;
}

/**
 * The largest picture that the sequence headers of an AV1 stream announce (AV1 specification, 5.3 to 5.5): what a
 * decoder allocates, whatever the container says.
 * @throws ToolFailure too_complex; RangeError when the stream is incomplete
 */
export function readAv1(stream: Uint8Array, count: PartCounter): Sequence {
  const view = viewOf(stream);
  let most: Sequence = { pixels: 0, isLimitedGray: false, isMonochrome: false };
  for (let at = 0; at < stream.length;) {
    count();
    const header = view.getUint8(at++);
    if (header & 4) at++;
    // Without a size the unit extends to the end.
    let length = stream.length - at;
    if (header & 2) [length, at] = readLeb128(view, at);
    const unit = stream.subarray(at, at + length);
    const sequence = ((header >> 3) & 15) === SEQUENCE_HEADER ? readSequence(unit) : most;
    if (sequence.pixels > most.pixels) most = sequence;
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

/** The names in the comments are those of the specification's syntax tables. */
function readSequence(unit: Uint8Array): Sequence {
  const bits = makeBitReader(unit);
  const profile = bits(3);
  bits(1); // still_picture
  const isReduced = bits(1) === 1;
  if (isReduced) bits(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits(4) + 1, bits(4) + 1];
  const pixels = (bits(widthBits) + 1) * (bits(heightBits) + 1);
  if (!isReduced && bits(1)) bits(7); // frame_id_numbers_present_flag
  bits(3); // use_128x128_superblock, enable_filter_intra, enable_intra_edge_filter
  if (!isReduced) skipInterTools(bits);
  bits(3); // enable_superres, enable_cdef, enable_restoration
  return { pixels, ...readGray(bits, profile) };
}

function skipInterTools(bits: BitReader): void {
  bits(4); // interintra, masked, warped, dual filter
  const hasOrderHint = bits(1);
  if (hasOrderHint) bits(2); // enable_jnt_comp, enable_ref_frame_mvs
  // seq_choose_screen_content_tools, seq_force_screen_content_tools
  const forces = bits(1) || bits(1);
  if (forces && !bits(1)) bits(1); // seq_choose_integer_mv, seq_force_integer_mv
  if (hasOrderHint) bits(3);
}

/** The beginning of color_config(). */
function readGray(bits: BitReader, profile: number): Pick<Sequence, "isLimitedGray" | "isMonochrome"> {
  const isHigh = bits(1);
  if (profile === 2 && isHigh) bits(1); // twelve_bit
  const isMonochrome = profile !== 1 && bits(1) === 1;
  if (bits(1)) bits(24); // color_description_present_flag
  return { isMonochrome, isLimitedGray: isMonochrome && bits(1) === 0 };
}

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

/** Returns the length of the delays that follow for each operating point, or 0. */
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
