/** Glyphs of a made font by number: nothing, A, B, an accent, an accented A of two parts, and many that nobody shows. */
export const GLYPHS = { A: 1, B: 2, accent: 3, Aacute: 4, unused: 5 };
const FILL = 40;

/** A font program with these glyphs, characters A, B, Á and the ones from a on; `fsType` says what its licence allows. */
export function truetypeFont(fsType: number | null = 0): string {
  const glyphs = [
    box(50, 0, 550, 700),
    box(50, 0, 500, 700),
    box(50, 0, 400, 500),
    box(200, 750, 300, 850),
    composite([GLYPHS.A, GLYPHS.accent]),
    ...Array.from({ length: FILL }, (_, i) => box(i, 3 * i, 400 + 7 * i, 500 + 5 * i)),
  ];
  const offsets = glyphs.map((_, i) => glyphs.slice(0, i).join("").length);
  const loca = [...offsets, glyphs.join("").length].map((at) => u16(at / 2)).join("");
  const tables: Record<string, string> = {
    ...(fsType === null ? {} : { "OS/2": u16(0, 500, 400, 5, fsType) + "\0".repeat(68) }),
    GSUB: "glyphs in place of others".repeat(4),
    cmap: u16(0, 1, 3, 1, 0, 12) + characterTable(),
    glyf: glyphs.join(""),
    head: u16(
      1,
      0,
      1,
      0,
      0,
      0,
      0x5f0f,
      0x3cf5,
      0,
      1000,
      ...Array<number>(8).fill(0),
      0,
      0,
      700,
      850,
      0,
      8,
      2,
      0,
      0,
    ),
    hhea: u16(1, 0, 850, 0, 0, 600, 0, 0, 600, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length),
    hmtx: glyphs.map(() => u16(600, 0)).join(""),
    loca,
    maxp: u16(1, 0, glyphs.length, 4, 1, 8, 2, 1, 0, 0, 0, 0, 0, 0, 2, 1),
    post: u16(3, 0) + "\0".repeat(28),
  };
  let records = "";
  let body = "";
  for (const [tag, table] of Object.entries(tables)) {
    const at = 12 + 16 * Object.keys(tables).length + body.length;
    records += tag + u16(0, 0, 0, at, 0, table.length);
    body += table.padEnd((table.length + 3) & ~3, "\0");
  }
  return u16(1, 0, Object.keys(tables).length, 128, 3, 32) + records + body;
}

function u16(...values: readonly number[]): string {
  return values.map((value) => String.fromCharCode((value >> 8) & 0xff, value & 0xff)).join("");
}

/** One contour of four points on it, all by words. */
function box(left: number, bottom: number, right: number, top: number): string {
  const [wide, high] = [right - left, top - bottom];
  return (
    u16(1, left, bottom, right, top, 3, 0) +
    "\x01\x01\x01\x01" +
    u16(left, 0, wide, 0, bottom, high, 0, -high)
  );
}

/** Parts that are put where they are, the arguments of two bytes. */
function composite(parts: readonly number[]): string {
  const all = parts.map((glyph, i) => u16((i < parts.length - 1 ? 0x20 : 0) | 0x3, glyph, 0, 0)).join("");
  return u16(-1, 50, 0, 500, 850) + all + "\0\0";
}

/** Format 4: A and B, Á, and a to z. */
function characterTable(): string {
  const segments = [
    [0x41, 0x42, GLYPHS.A],
    [0x61, 0x7a, GLYPHS.unused],
    [0xc1, 0xc1, GLYPHS.Aacute],
    [0xffff, 0xffff, 0],
  ] as const;
  const ends = u16(...segments.map(([, end]) => end)) + u16(0);
  const starts = u16(...segments.map(([start]) => start));
  const deltas = u16(...segments.map(([start, , glyph]) => (start === 0xffff ? 1 : glyph - start)));
  return u16(4, 16 + 32, 0, 8, 8, 2, 0) + ends + starts + deltas + u16(0, 0, 0, 0);
}
