import { unzipSync } from "fflate";
import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import { type Removable, REMOVED_BY_DEFAULT } from "../../tools/file/document-options.ts";
import { cleanPdf } from "../../tools/pdf-clean.ts";
import { compressPdf } from "../../tools/pdf-compress.ts";
import { lockPdf } from "../../tools/pdf-lock.ts";
import { mergePdf } from "../../tools/pdf-merge.ts";
import { rotatePdf } from "../../tools/pdf-rotate.ts";
import { splitPdf } from "../../tools/pdf-split.ts";
import { unlockPdf } from "../../tools/pdf-unlock.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { type Aspect, ASPECTS } from "./document.ts";
import type { ToolOutput } from "./programs.ts";

/** A call of a tool, and what its result is to have of the original. */
export interface ToolCall {
  readonly name: string;
  readonly work: (file: Bytes) => Promise<ToolOutput>;
  /** What the result opens with. */
  readonly password?: string;
  /** Which pages of the original the result has. */
  readonly pages: "all" | "twice" | "first" | "last";
  /** What the result has for each time that it has all pages. */
  readonly keeps: readonly (Aspect | "tags")[];
  /** How alike pages look at least; they are not compared where absent. */
  readonly looks?: number;
  readonly removes?: readonly Removable[];
}

const codec = createSharpCodec();
const PASSWORD = "correct horse";
const ALL = [...ASPECTS, "tags"] as const;
const WITHOUT_SCRIPTS = ["links", "fields", "values", "bookmarks", "tags"] as const;
/** What is drawn anew, such as fields, may differ at its edges. */
const DRAWN_ANEW = 0.95;
/** docs/tools/pdf.md promises it. */
const COMPRESSED = 0.97;

export const PDF_CALLS: readonly ToolCall[] = [
  { name: "pdf-rotate twice", work: turnTwice, pages: "all", keeps: ALL, looks: 1 },
  { name: "pdf-unlock", work: (file) => unlockPdf(file), pages: "all", keeps: ALL, looks: 1 },
  {
    name: "pdf-lock",
    work: (file) => lockPdf(file, { password: PASSWORD }),
    password: PASSWORD,
    pages: "all",
    keeps: ALL,
    looks: 1,
  },
  {
    // One result goes through both of the ways that objects take.
    name: "pdf-merge with itself",
    work: (file) => mergePdf([{ data: file, range: "1-z" }, { data: file }]),
    pages: "twice",
    keeps: ["links", "values", "bookmarks", "tags"],
    looks: 1,
  },
  {
    name: "pdf-split all pages",
    work: (file) => splitPdf(file, { mode: "keep", range: "1-z" }),
    pages: "all",
    keeps: ALL,
    looks: 1,
  },
  {
    // It leads through everything that pruning does.
    name: "pdf-split last page",
    work: (file) => splitPdf(file, { mode: "keep", range: "z" }),
    pages: "last",
    keeps: [],
    looks: 1,
  },
  { name: "pdf-split first part", work: takeFirstPart, pages: "first", keeps: [], looks: 1 },
  {
    name: "pdf-compress",
    work: (file) => compressPdf(file, { codec }),
    pages: "all",
    keeps: ALL,
    looks: COMPRESSED,
  },
  {
    name: "pdf-clean",
    work: (file) => cleanPdf(file),
    pages: "all",
    keeps: WITHOUT_SCRIPTS,
    looks: 1,
    removes: REMOVED_BY_DEFAULT,
  },
  {
    name: "pdf-clean linearize",
    work: (file) => cleanPdf(file, { remove: ["none"], linearize: true }),
    pages: "all",
    keeps: ALL,
    looks: 1,
  },
  cleaning("annotations", { keeps: ["links", "fields", "values", "bookmarks"] }),
  cleaning("forms", { keeps: ["links", "bookmarks", "attachments"], looks: DRAWN_ANEW }),
  cleaning("bookmarks", { keeps: ["links", "fields", "values", "attachments", "tags"], looks: 1 }),
  cleaning("layers", { keeps: ["links", "fields", "values", "attachments"], looks: DRAWN_ANEW }),
];

function cleaning(kind: Removable, { keeps, looks }: Pick<ToolCall, "keeps" | "looks">): ToolCall {
  return {
    name: `pdf-clean ${kind}`,
    work: (file) => cleanPdf(file, { remove: [kind] }),
    pages: "all",
    keeps,
    ...(looks !== undefined && { looks }),
    removes: [kind],
  };
}

async function turnTwice(file: Bytes): Promise<ToolOutput> {
  const turned = await rotatePdf(file, { angle: 180 });
  const { bytes, warnings } = await rotatePdf(turned.bytes, { angle: 180 });
  return { bytes, warnings: [...turned.warnings, ...warnings] };
}

async function takeFirstPart(file: Bytes): Promise<ToolOutput> {
  const { bytes, warnings } = await splitPdf(file, { mode: "each" });
  const [first] = Object.values(unzipSync(bytes));
  return { bytes: first ?? new Uint8Array(), warnings };
}
