import { type ColorSpace, D65, SRGB } from "./icc-profile.ts";

/** Primaries of ITU-T H.273, table 2, that are not those of sRGB. */
const PRIMARIES: Record<number, Omit<ColorSpace, "transfer">> = {
  9: { white: D65, red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046] },
  11: { white: [0.314, 0.351], red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] },
  12: { white: D65, red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] },
};
/** Exponents of table 3. */
const TRANSFERS: Record<number, number> = { 4: 2.2, 5: 2.8, 8: 1 };

/**
 * The color space that code points of ITU-T H.273 name, undefined where it is sRGB or unknown. Curves made for video
 * count as that of sRGB, as browsers take them.
 */
export function spaceOf(primaries: number, transfer = 0): ColorSpace | undefined {
  const known = PRIMARIES[primaries];
  const curve = TRANSFERS[transfer];
  return known || curve ? { ...(known ?? SRGB), transfer: curve ?? "srgb" } : undefined;
}
