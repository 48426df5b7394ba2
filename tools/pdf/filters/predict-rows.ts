import { byteAt } from "../../../wire/bytes.ts";

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
export function predictRows(
  rows: Uint8Array,
  { rowBytes, pixelBytes }: { readonly rowBytes: number; readonly pixelBytes: number },
): Uint8Array {
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
export function predictRowsAs(
  rows: Uint8Array,
  { rowBytes, pixelBytes, types }: { rowBytes: number; pixelBytes: number; types: Uint8Array },
): Uint8Array {
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
