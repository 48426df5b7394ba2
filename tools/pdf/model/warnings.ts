import type { Source } from "../reader/source.ts";
import { catalogOf, dictIn, type Pdf } from "./document.ts";
import { claimedStandards } from "./conformance.ts";
import { findSignatures } from "./signatures.ts";

type PossibleWarning = readonly [applies: boolean, sentence: string];

/** Warnings about how a file was read. To be asked at the end, as damage is found while objects are read. */
export function readingWarnings({ repairs }: Source): string[] {
  const { isRebuilt, found, hasLostObjects, lostPages, hasSearchedPages } = repairs;
  return sentencesOf([
    [isRebuilt, "The cross-reference of the document was damaged and has been rebuilt."],
    [found > 0, "Objects that the cross-reference of the document does not list were found by a search."],
    [hasLostObjects, "An object stream of the document is damaged; objects in it may be lost."],
    [
      lostPages > 0 && !hasSearchedPages,
      "The page tree of the document is damaged; pages that it does not lead to are missing.",
    ],
    [
      hasSearchedPages,
      "The page tree of the document is damaged; its pages were found by a search, perhaps in another order.",
    ],
  ]);
}

/** Warnings about a file that is sent back as it came. */
export function unchangedWarnings({ repairs }: Source): string[] {
  const { isRebuilt, found, hasLostObjects, lostPages } = repairs;
  const isDamaged = isRebuilt || found > 0 || hasLostObjects || lostPages > 0;
  return sentencesOf([[isDamaged, "The document is damaged; it needs no password and was left as it is."]]);
}

/** Warnings for a document that is changed, whose signatures were made over its old bytes. */
export function signatureWarnings(pdf: Pdf): string[] {
  const { isSigned, isCertified, hasUsageRights } = findSignatures(pdf);
  return sentencesOf([
    [isSigned, "Signatures of the document no longer hold."],
    [isCertified, "The certification of the document no longer holds."],
    [hasUsageRights, "The rights that the document grants in Adobe Reader no longer hold."],
  ]);
}

/** Whether the file opened only with the password sent. */
export function neededPassword({ main }: Pdf): boolean {
  return main.encryption?.passwordNeeded ?? false;
}

/** Warnings about what a part of a document leaves out. */
export function partWarnings(pdf: Pdf, mode: "each" | "keep" | "drop"): string[] {
  const catalog = catalogOf(pdf);
  const names = dictIn(pdf, { dict: catalog, key: "Names" });
  const form = dictIn(pdf, { dict: catalog, key: "AcroForm" });
  const isEach = mode === "each";
  return sentencesOf([
    [form?.has("XFA") ?? false, "The XML form (XFA) was left out, since it repeats what is on every page."],
    [catalog?.has("Threads") ?? false, "Article threads were left out."],
    [catalog?.has("Collection") ?? false, PORTFOLIO],
    ...claimedStandards(pdf, catalog?.get("Metadata")).map((name): PossibleWarning => [
      true,
      `The metadata claims ${name}, which was not checked for the result.`,
    ]),
    [names?.has("Renditions") ?? false, "Media that only scripts can play were left out."],
    [isEach && (names?.has("EmbeddedFiles") ?? false), "Attachments were left out of the single pages."],
    [isEach && (names?.has("JavaScript") ?? false), "Scripts were left out of the single pages."],
  ]);
}

/** Warnings about what a merge leaves out of a file of which it takes all pages. */
export function mergeWarnings(pdf: Pdf): string[] {
  const catalog = catalogOf(pdf);
  const form = dictIn(pdf, { dict: catalog, key: "AcroForm" });
  return sentencesOf([
    [form?.has("XFA") ?? false, "The XML form (XFA) was left out; the plain fields remain."],
    [catalog?.has("Threads") ?? false, "Article threads were left out."],
    [catalog?.has("Collection") ?? false, PORTFOLIO],
  ]);
}

const PORTFOLIO = "The document was a portfolio; the result is a document with pages.";

function sentencesOf(all: readonly PossibleWarning[]): string[] {
  return all.filter(([applies]) => applies).map(([, sentence]) => sentence);
}
