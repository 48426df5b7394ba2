import sharp from "sharp";
import type { Bytes } from "../../wire/bytes.ts";

/** Soft shapes with fine grain: as hard for an encoder as a photograph, and the same each time. */
export async function makePhotograph(width: number, height: number): Promise<Bytes> {
  const [columns, rows] = [48, 32];
  let seed = 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647) % 256;
  const coarse = Uint8Array.from({ length: columns * rows * 3 }, next);
  const soft = await sharp(coarse, { raw: { width: columns, height: rows, channels: 3 } })
    .resize(width, height, { kernel: "cubic", fit: "fill" })
    .raw()
    .toBuffer();
  for (let i = 0; i < soft.length; i++) soft[i] = Math.max(0, Math.min(255, soft[i]! + (next() % 13) - 6));
  return new Uint8Array(
    await sharp(soft, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 92 })
      .toBuffer(),
  );
}
