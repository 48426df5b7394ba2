/** One channel of 8 bits. */
export interface GrayImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const WINDOW = 8;
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];

/** How alike two images of one size look, 1 for the same: SSIM (Wang et al., 2004) over windows of 8 x 8, half overlapping. */
export function ssimOf(a: GrayImage, b: GrayImage): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y + WINDOW <= a.height; y += WINDOW / 2) {
    for (let x = 0; x + WINDOW <= a.width; x += WINDOW / 2) {
      sum += windowSsim(a, b, y * a.width + x);
      count++;
    }
  }
  return count === 0 ? 1 : sum / count;
}

function windowSsim(a: GrayImage, b: GrayImage, from: number): number {
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
  for (let y = 0; y < WINDOW; y++) {
    for (let x = 0; x < WINDOW; x++) {
      const at = from + y * a.width + x;
      const [p, q] = [a.data[at] ?? 0, b.data[at] ?? 0];
      sumA += p;
      sumB += q;
      squareA += p * p;
      squareB += q * q;
      product += p * q;
    }
  }
  const n = WINDOW * WINDOW;
  const [meanA, meanB] = [sumA / n, sumB / n];
  const varianceA = squareA / n - meanA ** 2;
  const varianceB = squareB / n - meanB ** 2;
  const covariance = product / n - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA ** 2 + meanB ** 2 + C1) * (varianceA + varianceB + C2))
  );
}

/** A PGM (P5) of 8 bits, as pdftoppm -gray writes it. */
export function readPgm(bytes: Uint8Array): GrayImage {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 64)));
  if (!head) throw new Error("No PGM");
  return { width: Number(head[1]), height: Number(head[2]), data: bytes.subarray(head[0].length) };
}
