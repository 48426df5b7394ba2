import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolFailure } from "../../wire/tool-failure.ts";

const SECONDS = 20;

/** Bytes that a program or tool made, and what was said of them. */
export interface ToolOutput {
  readonly bytes: Uint8Array;
  readonly warnings: readonly { readonly code: string }[];
}

/** What came of a program or tool: bytes, or why there are none. */
export type Outcome = ToolOutput | { readonly refusal: string };

interface ProgramResult {
  readonly output: Buffer;
  readonly status: number;
}

/** Runs a program to its end, at most 20 seconds; status -1 where it was stopped. */
export function run(program: string, args: readonly string[]): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { timeout: SECONDS * 1000, stdio: ["ignore", "pipe", "ignore"] });
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("error", () => resolve({ output: Buffer.alloc(0), status: -1 }));
    child.on("close", (status) => resolve({ output: Buffer.concat(parts), status: status ?? -1 }));
  });
}

/** Another program's rewriting of a file. qpdf ends with 3 where it repaired something. */
export async function qpdf(folder: string, args: readonly string[]): Promise<Outcome & { path: string }> {
  const path = join(folder, "qpdf.pdf");
  rmSync(path, { force: true });
  const { status } = await run("qpdf", [...args, path]);
  if ((status !== 0 && status !== 3) || !existsSync(path)) return { refusal: `status ${status}`, path };
  return { bytes: readFileSync(path), warnings: status === 3 ? [{ code: "repaired" }] : [], path };
}

/** Whether qpdf finds nothing to say of a file, warns of it, rejects it or takes too long. */
export async function qpdfCheck(
  path: string,
  password = "",
): Promise<"clean" | "warned of" | "REJECTED" | "not judged"> {
  const { status } = await run("qpdf", ["--check", `--password=${password}`, path]);
  if (status === 0) return "clean";
  if (status < 0) return "not judged";
  return status === 3 ? "warned of" : "REJECTED";
}

/** What poppler reads on each page of a file, without white space. */
export async function textOf(path: string, password?: string): Promise<string[]> {
  const { output } = await run("pdftotext", ["-q", ...(password ? ["-upw", password] : []), path, "-"]);
  const pages = output.toString("latin1").split("\f").slice(0, -1);
  return pages.map((page) => page.replace(/\s+/g, ""));
}

export async function pixelsOf(path: string, pages: readonly string[] = []): Promise<Buffer> {
  return (await run("pdftoppm", ["-q", "-r", "30", "-gray", ...pages, path])).output;
}

const SLOW_SECONDS = 10;

/** One of our tools; `note` is told of crashes and of more than ten seconds. */
export async function ours(work: () => Promise<ToolOutput>, note: (kind: string) => void): Promise<Outcome> {
  const start = performance.now();
  try {
    const { bytes, warnings } = await work();
    return { bytes, warnings };
  } catch (error) {
    if (error instanceof ToolFailure) return { refusal: error.code };
    note(`CRASH ${error instanceof Error ? error.message : ""}`);
    return { refusal: "crash" };
  } finally {
    if (performance.now() - start > SLOW_SECONDS * 1000) note(`SLOWER than ${SLOW_SECONDS} seconds`);
  }
}

/** Writes a result where programs can read it. */
export function written(folder: string, { name, bytes }: { name: string; bytes: Uint8Array }): string {
  const path = join(folder, `${name}.pdf`);
  writeFileSync(path, bytes);
  return path;
}
