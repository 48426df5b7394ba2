import { zlibSync } from "fflate";
import { nativeZlib } from "../../file/native.ts";
import { type Dict, makeDict, type Value } from "../syntax/values.ts";
import { byteAt } from "../../../wire/bytes.ts";

/** What a filter has made of data, and the entries of its dictionary that undo it. */
export interface EncodedStream {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly entries: Readonly<Record<string, Value>>;
}

/** The highest level takes ten times as long for images, and saves one or two parts in a hundred. */
const MOST_AT_9 = 2 * 1024 * 1024;

/** A zlib stream, nearly as small as can be. */
export function deflate(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return deflateAt(bytes, bytes.length > MOST_AT_9 ? 6 : 9);
}

function deflateAt(bytes: Uint8Array, level: 1 | 6 | 9): Uint8Array<ArrayBuffer> {
  return nativeZlib?.deflateSync(bytes, { level }) ?? zlibSync(bytes, { level });
}

/** The rows of an image. */
interface Rows {
  readonly rowBytes: number;
  /** Bytes from one pixel to the next, at least 1. */
  readonly pixelBytes: number;
  /** For the predictor's parameters. */
  readonly columns: number;
  readonly colors: number;
  readonly bits: number;
}

/** Rows by Flate, with PNG predictors or without, whichever promises to be smaller (ISO 32000-1, 7.4.4.4). */
export function deflateRows(rows: Uint8Array, shape: Rows): EncodedStream {
  const predicted = predictRows(rows, shape);
  // The lowest level tells which of the two it is in a fraction of the time.
  if (deflateAt(rows, 1).length <= deflateAt(predicted, 1).length)
    return { data: deflate(rows), entries: { Filter: "FlateDecode" } };
  return withPredictor(predicted, shape);
}

/** Rows with known predictors, by their numbers: a fifth of the time that it takes to find them. */
export function deflateRowsAs(rows: Uint8Array, types: Uint8Array, shape: Rows): EncodedStream {
  return withPredictor(predictRowsAs(rows, types, shape), shape);
}

function withPredictor(predicted: Uint8Array, shape: Rows): EncodedStream {
  const { columns: Columns, colors: Colors, bits: BitsPerComponent } = shape;
  const DecodeParms: Dict = makeDict({ Predictor: 15, Colors, BitsPerComponent, Columns });
  return { data: deflate(predicted), entries: { Filter: "FlateDecode", DecodeParms } };
}

interface Row {
  readonly row: Uint8Array;
  readonly above: Uint8Array;
  readonly pixelBytes: number;
  /** Takes the differences. */
  readonly out: Uint8Array;
}

/** The predictors None, Sub, Up, Average and Paeth of PNG (ISO/IEC 15948, 9.2), in the order of their numbers. */
const PREDICTORS: readonly ((row: Row) => void)[] = [none, sub, up, average, paeth];

/** Each row with the predictor whose differences are least, as the PNG specification advises (12.8). */
function predictRows(rows: Uint8Array, { rowBytes, pixelBytes }: Rows): Uint8Array {
  const count = Math.floor(rows.length / rowBytes);
  const predicted = new Uint8Array(count * (rowBytes + 1));
  const tried = PREDICTORS.map(() => new Uint8Array(rowBytes));
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let y = 0; y < count; y++) {
    const row = rows.subarray(y * rowBytes, (y + 1) * rowBytes);
    let [best, least] = [0, Infinity];
    for (const [type, out] of tried.entries()) {
      PREDICTORS[type]?.({ row, above, pixelBytes, out });
      const sum = amountOf(out, least);
      if (sum < least) [best, least] = [type, sum];
    }
    predicted[y * (rowBytes + 1)] = best;
    predicted.set(tried[best] ?? row, y * (rowBytes + 1) + 1);
    above = row;
  }
  return predicted;
}

/** Each row with the predictor that is known to suit it, such as that of an image it is a part of. */
function predictRowsAs(rows: Uint8Array, types: Uint8Array, { rowBytes, pixelBytes }: Rows): Uint8Array {
  const predicted = new Uint8Array(types.length * (rowBytes + 1));
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (const [y, type] of types.entries()) {
    const row = rows.subarray(y * rowBytes, (y + 1) * rowBytes);
    const at = y * (rowBytes + 1);
    const predict = PREDICTORS[type] ?? none;
    predicted[at] = PREDICTORS[type] ? type : 0;
    predict({ row, above, pixelBytes, out: predicted.subarray(at + 1, at + 1 + rowBytes) });
    above = row;
  }
  return predicted;
}

/** The sum of all differences as signed numbers without their sign; at least `enough` once it has reached that. */
function amountOf(differences: Uint8Array, enough: number): number {
  let sum = 0;
  for (let x = 0; x < differences.length && sum < enough; x++) {
    const difference = byteAt(differences, x);
    sum += difference < 128 ? difference : 256 - difference;
  }
  return sum;
}

function none({ row, out }: Row): void {
  out.set(row);
}

function sub({ row, pixelBytes, out }: Row): void {
  out.set(row.subarray(0, pixelBytes));
  for (let x = pixelBytes; x < row.length; x++) out[x] = byteAt(row, x) - byteAt(row, x - pixelBytes);
}

function up({ row, above, out }: Row): void {
  for (let x = 0; x < row.length; x++) out[x] = byteAt(row, x) - byteAt(above, x);
}

function average({ row, above, pixelBytes, out }: Row): void {
  for (let x = 0; x < pixelBytes; x++) out[x] = byteAt(row, x) - (byteAt(above, x) >> 1);
  for (let x = pixelBytes; x < row.length; x++)
    out[x] = byteAt(row, x) - ((byteAt(row, x - pixelBytes) + byteAt(above, x)) >> 1);
}

function paeth({ row, above, pixelBytes, out }: Row): void {
  for (let x = 0; x < pixelBytes; x++) out[x] = byteAt(row, x) - byteAt(above, x);
  for (let x = pixelBytes; x < row.length; x++) {
    const left = byteAt(row, x - pixelBytes);
    const over = byteAt(above, x);
    const corner = byteAt(above, x - pixelBytes);
    const toLeft = Math.abs(over - corner);
    const toUp = Math.abs(left - corner);
    const toCorner = Math.abs(left + over - 2 * corner);
    const guess = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? over : corner;
    out[x] = byteAt(row, x) - guess;
  }
}
