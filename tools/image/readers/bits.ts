import { viewOf } from "../image-info.ts";

/** Reads big-endian bits one after another; past the end it throws a RangeError, as a DataView does. */
export type BitReader = (count: number) => number;

export function makeBitReader(bytes: Uint8Array): BitReader {
  const view = viewOf(bytes);
  let at = 0;
  return (count) => {
    let value = 0;
    for (let i = 0; i < count; i++, at++)
      value = value * 2 + ((view.getUint8(at >> 3) >> (7 - (at & 7))) & 1);
    return value;
  };
}
