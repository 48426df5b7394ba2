import { findThings } from "../../test/machine/things.ts";
import { type GrayImage, readPgm, ssimOf } from "../support/ssim.ts";
import { type QpdfDocument, readDocument } from "./document.ts";
import { qpdfCheck, run, textOf } from "./programs.ts";

const PROGRAMS = ["qpdf", "poppler", "mutool"] as const;
/** The programs that this machine has. */
export type Judges = ReadonlySet<(typeof PROGRAMS)[number]>;

/** Looks for the programs; `tell` hears of each that is missing. */
export async function findJudges(tell: (line: string) => void): Promise<Judges> {
  const found = await findThings(...PROGRAMS);
  const missing = PROGRAMS.filter((name) => !("at" in found[name]));
  for (const name of missing) tell(`${name} is not here: nothing is compared by it`);
  return new Set(PROGRAMS.filter((name) => !missing.includes(name)));
}

/** What programs say of a document; empty or undefined where a program is missing or reads nothing. */
export interface Facts {
  /** What qpdf says of its syntax. */
  readonly check: Awaited<ReturnType<typeof qpdfCheck>>;
  readonly document: QpdfDocument | undefined;
  /** By poppler, of each page, without white space. */
  readonly text: readonly string[];
  /** Elements of its structure tree, by poppler. */
  readonly tags: readonly string[];
}

export interface FactsRequest {
  readonly path: string;
  readonly password: string;
  readonly judges: Judges;
}

/** Without tags where they are not asked for. */
export async function readFacts(
  { path, password, judges }: FactsRequest,
  { hasTags } = { hasTags: true },
): Promise<Facts> {
  const [hasQpdf, hasPoppler] = [judges.has("qpdf"), judges.has("poppler")];
  return {
    check: hasQpdf ? await qpdfCheck(path, password) : "not judged",
    document: hasQpdf ? await readDocument(path, password) : undefined,
    text: hasPoppler ? await textOf(path, password) : [],
    tags: hasPoppler && hasTags ? await tagsOf(path, password) : [],
  };
}

/** Pages that follow each other, as each program draws them. */
export type Looks = Readonly<Record<string, readonly GrayImage[]>>;

export async function readLooks({ path, password, judges }: FactsRequest, pages: Pages): Promise<Looks> {
  const looks: Record<string, GrayImage[]> = {};
  if (judges.has("poppler")) looks["poppler"] = imagesIn(await popplerPages(path, { password, pages }));
  if (judges.has("mutool")) looks["MuPDF"] = imagesIn(await mupdfPages(path, { password, pages }));
  return looks;
}

/** The first and the last of some pages. */
export type Pages = readonly [from: number, to: number];

async function tagsOf(path: string, password: string): Promise<string[]> {
  const { output } = await run("pdfinfo", ["-struct", "-upw", password, path]);
  const lines = output.toString("latin1").split("\n");
  // Numbers of annotations differ from file to file, and identifiers in a merge, also of headers.
  const elements = lines.map((line) =>
    line.trim().replace(/^Object \d+ \d+$| <[^>]*>|(?<=^\/Headers) .*/, ""),
  );
  return elements.filter((element) => element !== "");
}

/** Enough to see that something is missing. */
const DPI = "36";

interface DrawOptions {
  readonly password: string;
  readonly pages: Pages;
}

async function popplerPages(path: string, { password, pages: [from, to] }: DrawOptions): Promise<Buffer> {
  const args = ["-q", "-r", DPI, "-gray", "-f", `${from}`, "-l", `${to}`, "-upw", password];
  return (await run("pdftoppm", [...args, path])).output;
}

async function mupdfPages(path: string, { password, pages: [from, to] }: DrawOptions): Promise<Buffer> {
  const args = ["draw", "-q", "-r", DPI, "-c", "gray", "-F", "pgm", "-o", "-", "-p", password];
  return (await run("mutool", [...args, path, `${from}-${to}`])).output;
}

/** A picture in a square, whatever its resolution says; undefined where MuPDF cannot read it. */
export async function drawPicture(path: string): Promise<GrayImage | undefined> {
  const args = ["draw", "-q", "-w", SIDE, "-h", SIDE, "-f", "-c", "gray", "-F", "pgm", "-o", "-"];
  return imagesIn((await run("mutool", [...args, path, "1"])).output)[0];
}

const SIDE = "64";

/** Images that stand one behind the other. */
function imagesIn(output: Buffer): GrayImage[] {
  const images: GrayImage[] = [];
  for (let rest = output; rest.toString("latin1", 0, 2) === "P5";) {
    const { width, height, data } = readPgm(rest);
    images.push({ width, height, data: data.subarray(0, width * height) });
    rest = rest.subarray(rest.length - data.length + width * height);
  }
  return images;
}

/** How alike two drawings are: 1 for the same pixels, 0 where one is missing or has another size. */
export function likenessOf(a: GrayImage | undefined, b: GrayImage | undefined): number {
  if (!a || !b || a.width !== b.width || a.height !== b.height) return 0;
  return Buffer.compare(a.data, b.data) === 0 ? 1 : ssimOf(a, b);
}
