// slow
import { describe, expect, test } from "vitest";
import { peakOf, processesOf } from "../../bench/support/memory.ts";
import { withProcess } from "../process/support/with-process.ts";
import { nodePath, runtimeAt } from "../support/runtimes.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { type Grid, makeHeic } from "./files/heic-files.ts";
import { hugeScreen, palettePng } from "./files/image-files.ts";

const TILE = { width: 96, height: 64 };
/** What the largest image that is let through may take, and an engine beside it. */
const PEAK_MIB = 1000;

/** A grid of n x n items, beginning with one of them. */
function grid(n: number, { from = 0, width = TILE.width * n, height = TILE.height * n } = {}): Grid {
  return { rows: n, columns: n, width, height, tiles: Array.from({ length: n * n }, (_, i) => from + i) };
}

function gridOfGrids(n: number): Bytes {
  const told = { width: TILE.width * n, height: TILE.height * n };
  const inner = Array<Grid>(n * n).fill(grid(n));
  const outer = grid(n, { from: n * n, width: told.width * n, height: told.height * n });
  return makeHeic({ told, pictures: n * n, grids: [...inner, outer] });
}

interface Bomb {
  readonly name: string;
  readonly make: () => Bytes | Promise<Bytes>;
  readonly code: string;
}

const HUGE = { width: 60_000, height: 60_000 };
const BOMBS: readonly Bomb[] = [
  {
    name: "a HEIC whose container says too much",
    make: () => makeHeic({ told: HUGE }),
    code: "too_many_pixels",
  },
  {
    name: "a HEIC whose stream says more than its container",
    make: () => makeHeic({ told: TILE, streamed: { width: 9000, height: 6000 } }),
    code: "too_many_pixels",
  },
  {
    name: "a HEIC whose stream says more than it holds",
    make: () => makeHeic({ told: TILE, streamed: { width: 8000, height: 6000 } }),
    code: "damaged_file",
  },
  {
    name: "a HEIC of 8,281 tiles",
    make: () => makeHeic({ told: TILE, pictures: 91 * 91, grids: [grid(91)] }),
    code: "too_complex",
  },
  {
    name: "a HEIC whose grid says that it is huge",
    make: () => makeHeic({ told: TILE, grids: [grid(1, HUGE)] }),
    code: "damaged_file",
  },
  { name: "a HEIC of grids of grids", make: () => gridOfGrids(9), code: "unsupported_feature" },
  {
    name: "a PNG of 56 megapixels in a palette",
    make: () => palettePng({ width: 8000, height: 7000 }),
    code: "too_many_pixels",
  },
  { name: "a GIF of one pixel on a huge screen", make: hugeScreen, code: "too_many_pixels" },
];

describe("an image made to harm a server", () => {
  const server = withProcess(runtimeAt("node", nodePath()));

  test.each(BOMBS)("is refused: $name", async ({ make, code }) => {
    const address = `${server.url}/api/tools/image-convert?format=png`;
    const answer = await fetch(address, { method: "POST", body: await make() });
    expect(await answer.json()).toMatchObject({ code });
    expect(answer.status).toBe(code === "too_many_pixels" ? 413 : 422);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    // Only Linux tells the memory of a process.
    if (process.platform === "linux")
      expect(Math.max(...processesOf(server.pid).map(peakOf))).toBeLessThan(PEAK_MIB);
  });
});
