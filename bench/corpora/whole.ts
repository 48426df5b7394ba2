import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import { cleanPdf } from "../../tools/pdf-clean.ts";
import { compressPdf } from "../../tools/pdf-compress.ts";
import { lockPdf } from "../../tools/pdf-lock.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { Comparing } from "./compare.ts";
import { type Outcome, ours, qpdfCheck, textOf, written } from "./programs.ts";
import { textClass } from "./text-class.ts";

/** A tool that keeps all pages, and what its result opens with. */
interface WholeTool {
  readonly name: string;
  readonly password?: string;
  readonly work: (file: Bytes) => Promise<Extract<Outcome, { bytes: unknown }>>;
}

const codec = createSharpCodec();
const PASSWORD = "correct horse";

const TOOLS: readonly WholeTool[] = [
  { name: "clean", work: (file) => cleanPdf(file) },
  { name: "compress", work: (file) => compressPdf(file, { codec }) },
  { name: "lock", password: PASSWORD, work: (file) => lockPdf(file, { password: PASSWORD }) },
];

/** Each tool that keeps all pages, on a file that can be turned: it answers, qpdf is content, and the text is all there. */
export async function compareWhole(comparing: Comparing & { readonly expected: string }): Promise<void> {
  for (const tool of TOOLS) await compareTool(tool, comparing);
}

async function compareTool(
  { name, password, work }: WholeTool,
  { folder, path, file, note, expected }: Comparing & { readonly expected: string },
): Promise<void> {
  const made = await ours(() => work(file), note);
  if ("refusal" in made) return note(`${name}: REFUSED as ${made.refusal}`);
  const result = written(folder, { name, bytes: made.bytes });
  const check = await qpdfCheck(result, password);
  if (check !== "clean" && (await qpdfCheck(path)) === "clean") note(`${name}: ${check}, ORIGINAL CLEAN`);
  const kind = textClass((await textOf(result, password)).join(""), { expected, told: made.warnings });
  note(kind ? `${name}: ${kind} than in the original` : `${name}: the same text`);
}
