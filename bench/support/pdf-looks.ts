import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GrayImage, readPgm, ssimOf } from "./ssim.ts";

/** What is looked at of a document. */
interface Look {
  /** From the first. */
  readonly pages: number;
  readonly dpi: number;
}

/** Pages of a document as poppler draws them, in gray. */
export function drawPages(file: string, { pages, dpi }: Look): GrayImage[] {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  try {
    spawnSync("pdftoppm", ["-gray", "-r", `${dpi}`, "-l", `${pages}`, file, join(folder, "p")]);
    const names = readdirSync(folder).toSorted();
    return names.map((name) => readPgm(readFileSync(join(folder, name))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How alike pages look, 1 for the same and 0 for a page of another size or none; undefined without pages. */
export function likeness(before: readonly GrayImage[], after: readonly GrayImage[]): number | undefined {
  const all = before.map((page, i) => {
    const other = after[i];
    return other && other.data.length === page.data.length ? ssimOf(page, other) : 0;
  });
  return all.length === 0 ? undefined : all.reduce((sum, each) => sum + each, 0) / all.length;
}

/** The text of a document as poppler reads it. */
export function textOf(file: string): string {
  return spawnSync("pdftotext", [file, "-"], { encoding: "utf8", maxBuffer: 2 ** 28 }).stdout;
}

/** The one in the middle, rounded. */
export function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(3);
}
