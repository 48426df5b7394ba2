import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { hasThing } from "../../../machine/skips.ts";
import { textOf } from "./pdf-made.ts";

/** Whether qpdf can judge. */
export const hasQpdf = hasThing("qpdf");

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

/** Everything in a PDF in clear, also what is in streams: by qpdf, or else with what is deflated or in hexadecimal. */
export function clearText(bytes: Uint8Array): string {
  return hasQpdf ? ask(bytes, ["qpdf", "--qdf", "--object-streams=disable", "@", "-"]) : inflatedText(bytes);
}

function inflatedText(bytes: Uint8Array): string {
  const text = textOf(bytes).replace(
    /(?<=(?<!end)stream\r?\n).*?(?=endstream)/gs,
    (data) => inflated(data) ?? data,
  );
  return text.replace(/<([0-9A-Fa-f]+)>/g, (_, digits: string) => `(${textOf(Buffer.from(digits, "hex"))})`);
}

function inflated(data: string): string | undefined {
  try {
    // What stands behind the stream's own end, such as a line break, does not matter.
    return inflateSync(Buffer.from(data, "latin1")).toString("latin1");
  } catch {
    return undefined;
  }
}

/** The words on each page: as poppler reads them, or where it is not, pdf.js. */
export function pageTexts(bytes: Uint8Array): Promise<string[]> {
  return hasThing("poppler") ? popplerTexts(bytes) : pdfjsTexts(bytes);
}

export async function popplerTexts(bytes: Uint8Array): Promise<string[]> {
  const text = ask(bytes, ["pdftotext", "-q", "-enc", "UTF-8", "@", "-"]);
  return Buffer.from(text, "latin1")
    .toString()
    .split("\f")
    .slice(0, -1)
    .map((page) => page.trim());
}

/** A document as pdf.js reads it; its worker ends with `loadingTask.destroy()`. */
export async function openWithPdfjs(bytes: Uint8Array) {
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  // It keeps the bytes for itself.
  return getDocument({ data: Uint8Array.from(bytes), verbosity: VerbosityLevel.ERRORS }).promise;
}

export async function pdfjsTexts(bytes: Uint8Array): Promise<string[]> {
  const document = await openWithPdfjs(bytes);
  const pages = Array.from({ length: document.numPages }, (_, i) => document.getPage(i + 1));
  const texts = await Promise.all(pages.map(async (page) => (await page).getTextContent()));
  await document.loadingTask.destroy();
  return texts.map(({ items }) => linesOf(items.filter((item) => "str" in item)).trim());
}

/** What is drawn at another height stands on another line, also where pdf.js, which reads forms apart, does not say so. */
function linesOf(items: readonly { str: string; hasEOL: boolean; transform: readonly number[] }[]): string {
  return items
    .map(({ str, hasEOL, transform }, place) => {
      const isLast = hasEOL || transform[5] !== items[place + 1]?.transform[5];
      return isLast ? `${str}\n` : str;
    })
    .join("");
}

/** An object in qpdf's reading, as JSON. */
export function objectsOf(bytes: Uint8Array): Record<string, unknown> {
  const answer: unknown = JSON.parse(ask(bytes, ["qpdf", "--json=2", "--json-key=qpdf", "@"]));
  if (typeof answer !== "object" || answer === null || !("qpdf" in answer) || !Array.isArray(answer.qpdf))
    return {};
  return answer.qpdf[1];
}
