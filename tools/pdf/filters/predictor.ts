import { byteAt } from "../../../wire/bytes.ts";
import { unsignedOf, type Dict } from "../syntax/values.ts";

/** Undoes a TIFF or PNG predictor (ISO 32000-1, 7.4.4.4); rows that are cut short end where the data ends. */
export function undoPredictor(data: Uint8Array, parameters: Dict | undefined): Uint8Array {
  const predictor = unsignedOf(parameters?.get("Predictor")) ?? 1;
  if (predictor < 2) return data;
  const colors = unsignedOf(parameters?.get("Colors")) ?? 1;
  const depth = unsignedOf(parameters?.get("BitsPerComponent")) ?? 8;
  const columns = unsignedOf(parameters?.get("Columns")) ?? 1;
  const pixel = Math.max(1, (colors * depth) >> 3);
  const row = Math.ceil((colors * depth * columns) / 8);
  if (row < 1 || row > data.length + 1 || pixel > row) return data;
  return predictor === 2 ? undoTiff(data, { pixel, row }) : undoPng(data, { pixel, row });
}

interface Shape {
  readonly pixel: number;
  readonly row: number;
}

function undoTiff(data: Uint8Array, { pixel, row }: Shape): Uint8Array {
  const bytes = data.slice();
  for (let i = pixel; i < bytes.length; i++)
    if (i % row >= pixel) bytes[i] = (bytes[i] ?? 0) + (bytes[i - pixel] ?? 0);
  return bytes;
}

function undoPng(data: Uint8Array, { pixel, row }: Shape): Uint8Array {
  const rows = Math.ceil(data.length / (row + 1));
  const bytes = new Uint8Array(rows * row);
  for (let i = 0; i < rows; i++) {
    const source = data.subarray(i * (row + 1) + 1, (i + 1) * (row + 1));
    const target = bytes.subarray(i * row, i * row + row);
    const above = bytes.subarray(Math.max(0, i - 1) * row, i * row);
    undoRow(source, { kind: byteAt(data, i * (row + 1)), target, above, pixel });
  }
  return bytes.subarray(0, Math.max(0, data.length - rows));
}

// The row above the first one counts as zeros.
function undoRow(
  source: Uint8Array,
  { kind, target, above, pixel }: { kind: number; target: Uint8Array; above: Uint8Array; pixel: number },
): void {
  for (let i = 0; i < source.length; i++) {
    const left = i >= pixel ? byteAt(target, i - pixel) : 0;
    const up = above[i] ?? 0;
    const corner = i >= pixel ? (above[i - pixel] ?? 0) : 0;
    target[i] = byteAt(source, i) + guess(kind, { left, up, corner });
  }
}

function guess(kind: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  return kind === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
