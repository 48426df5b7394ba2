import { readFileSync } from "node:fs";

/** A block of code in a document. */
export interface Recipe {
  /** The heading above it. */
  readonly title: string;
  readonly language: string;
  readonly code: string;
  /** Whether the document says that no test runs it. */
  readonly isOnlyShown: boolean;
}

/** The blocks of a document below docs/, in their order. */
export function readRecipes(document: string): Recipe[] {
  const text = readFileSync(new URL(`../../docs/${document}`, import.meta.url), "utf8");
  const recipes: Recipe[] = [];
  let title = "";
  for (const [, heading, language, code = ""] of text.matchAll(PARTS)) {
    if (heading) title = heading;
    else recipes.push({ title, language: language ?? "", code, isOnlyShown: isShown(text, code) });
  }
  return recipes;
}

// A line of a block may look like a heading: a comment of a shell or a unit.
const PARTS = /^#+ ([^\n]*)$|^```(\w*)\n(.*?)^```$/gms;

/** Whether the words "Not executed here" stand below a block. */
function isShown(text: string, code: string): boolean {
  return text.split(code)[1]?.startsWith("```\n\nNot executed here") ?? false;
}

/** The only block of a language under a heading. */
export function findRecipe(document: string, title: string, language: string): string {
  const found = readRecipes(document).filter((each) => each.title === title && each.language === language);
  if (found.length !== 1)
    throw new Error(`${document} has ${found.length} blocks of ${language} in ${title}`);
  return found[0]!.code;
}
