import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "./pdf-made.ts";

/** Whether an outside program can judge; says by name when it cannot. */
function has(program: string): boolean {
  const isThere = spawnSync(program, ["--version"]).error === undefined;
  if (!isThere) console.log(`skipped: ${program} is not installed, so it judges nothing here`);
  return isThere;
}

export const hasQpdf = has("qpdf");
export const hasPoppler = has("pdftotext");

/** What a program prints about a PDF; "@" stands for the file. */
export function ask(bytes: Uint8Array, [program, ...args]: [string, ...string[]]): string {
  const folder = mkdtempSync(join(tmpdir(), "judge-"));
  try {
    const path = join(folder, "file.pdf");
    writeFileSync(path, bytes);
    const all = args.map((arg) => arg.replace("@", path));
    return execFileSync(program, all, {
      encoding: "latin1",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Throws if qpdf, where it is installed, finds anything to warn of. */
export function assertClean(bytes: Uint8Array): void {
  if (hasQpdf) ask(bytes, ["qpdf", "--check", "@"]);
}

/** Everything in a PDF in clear: with qpdf streams inflated too, else the bytes as they are. */
export function clearText(bytes: Uint8Array): string {
  return hasQpdf ? ask(bytes, ["qpdf", "--qdf", "--object-streams=disable", "@", "-"]) : textOf(bytes);
}

/** The words on each page as poppler reads them. */
export function pageTexts(bytes: Uint8Array): string[] {
  const text = ask(bytes, ["pdftotext", "-q", "@", "-"]);
  return text
    .split("\f")
    .slice(0, -1)
    .map((page) => page.trim());
}

/** An object in qpdf's reading, as JSON. */
export function objectsOf(bytes: Uint8Array): Record<string, unknown> {
  const answer: unknown = JSON.parse(ask(bytes, ["qpdf", "--json=2", "--json-key=qpdf", "@"]));
  if (typeof answer !== "object" || answer === null || !("qpdf" in answer) || !Array.isArray(answer.qpdf))
    return {};
  return answer.qpdf[1];
}
