import { textOfCodes } from "../../../wire/bytes.ts";
import { makePartCounter, type PartCounter, damagedImage, shortLatin1, viewOf } from "../image-info.ts";

/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2); `data` is what follows type and size. */
export interface Box {
  readonly type: string;
  readonly data: Uint8Array;
}

/**
 * Reads the boxes that follow each other in some bytes. Boxes inside of boxes share a counter.
 * @throws ToolFailure damaged_file when one is larger than its place, too_complex; RangeError when its head is
 * incomplete
 */
export function readBoxes(bytes: Uint8Array, count: PartCounter = makePartCounter("boxes")): Box[] {
  const view = viewOf(bytes);
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length;) {
    count();
    const type = shortLatin1(bytes, { start: at + 4, end: at + 8 });
    const [headBytes, sizeBytes] = readSize(view, at);
    if (sizeBytes < headBytes || at + sizeBytes > bytes.length) throw damagedImage("a box is cut");
    boxes.push({ type, data: bytes.subarray(at + headBytes, at + sizeBytes) });
    at += sizeBytes;
  }
  return boxes;
}

/** Size 1 means that 64 bits follow, size 0 that the box extends to the end. */
function readSize(view: DataView, at: number): [headBytes: number, sizeBytes: number] {
  const size = view.getUint32(at);
  if (size === 1) return [16, Number(view.getBigUint64(at + 8))];
  return [8, size === 0 ? view.byteLength - at : size];
}

/** Reads big-endian numbers one after another. */
export class Cursor {
  readonly view: DataView;
  at: number;

  constructor(bytes: Uint8Array, start = 0) {
    this.view = viewOf(bytes);
    this.at = start;
  }

  /** A number of 0 to 8 bytes. */
  number(sizeBytes: number): number {
    let value = 0;
    for (let i = 0; i < sizeBytes; i++) value = value * 256 + this.view.getUint8(this.at++);
    return value;
  }

  /** Text up to its zero. */
  text(): string {
    const from = this.at;
    while (this.number(1) !== 0);
    const { buffer, byteOffset } = this.view;
    return textOfCodes(new Uint8Array(buffer, byteOffset + from, this.at - 1 - from));
  }
}

/** Reads big-endian bits one after another; beyond the end it throws a RangeError, like a DataView. */
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
