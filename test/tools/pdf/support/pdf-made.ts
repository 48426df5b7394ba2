import type { Bytes } from "../../../../wire/bytes.ts";
import { ToolFailure } from "../../../../wire/tool-failure.ts";

/** One byte a character, both ways: what a PDF is when looked at as text. */
export function bytesOf(text: string): Bytes {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

export interface Made {
  readonly version?: string;
  readonly root?: number;
  readonly trailer?: string;
}

/** Writes a PDF from object bodies by number, with a true cross-reference table. */
export function makePdf(objects: Readonly<Record<number, string>>, made: Made = {}): Bytes {
  const { version = "1.4", root = 1, trailer = "" } = made;
  let text = `%PDF-${version}\n`;
  const places = new Map<number, number>();
  for (const [num, body] of Object.entries(objects)) {
    places.set(Number(num), text.length);
    text += `${num} 0 obj\n${body}\nendobj\n`;
  }
  const size = Math.max(...places.keys()) + 1;
  const start = text.length;
  text += `xref\n0 ${size}\n0000000000 65535 f \n`;
  for (let num = 1; num < size; num++) {
    const at = places.get(num);
    text += at === undefined ? "0000000000 00001 f \n" : `${String(at).padStart(10, "0")} 00000 n \n`;
  }
  return bytesOf(
    `${text}trailer\n<</Size ${size}/Root ${root} 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
  );
}

export function stream(content: string, entries = ""): string {
  return `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;
}

/** A document with one line of text on each page: "Page 1", "Page 2" …, and /Rotate as given. */
export function pagesPdf(
  count: number,
  { rotate = [], extra = "" }: { rotate?: readonly (string | undefined)[]; extra?: string } = {},
): Bytes {
  const objects: Record<number, string> = {
    1: `<</Type/Catalog/Pages 2 0 R${extra}>>`,
    2: `<</Type/Pages/Count ${count}/Kids[${range(count, (i) => `${4 + 2 * i} 0 R`)}]/MediaBox[0 0 200 100]/Resources<</Font<</F1 3 0 R>>>>>>`,
    3: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  };
  for (let i = 0; i < count; i++) {
    const turned = rotate[i] === undefined ? "" : `/Rotate ${rotate[i]}`;
    objects[4 + 2 * i] = `<</Type/Page/Parent 2 0 R/Contents ${5 + 2 * i} 0 R${turned}>>`;
    objects[5 + 2 * i] = stream(`BT /F1 18 Tf 20 40 Td (Page ${i + 1}) Tj ET`);
  }
  return makePdf(objects);
}

function range(count: number, text: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => text(i)).join(" ");
}

/** The refusal that work ends with. */
export async function refusal(work: () => Promise<unknown>): Promise<ToolFailure> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
  throw new Error("expected a refusal");
}
