import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { catalogOf, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import { dictOf } from "../syntax/values.ts";
import { resultTrailer, resultVersion } from "../writer/save.ts";
import {
  type Claim,
  changeClaims,
  type ClaimChange,
  claimName,
  claimsOf,
  claimsPdfA1,
  claimWithLevel,
} from "./claims.ts";

/**
 * Takes from the metadata what the document, as it will be written, does not fulfil, and tells each clause. To be called
 * when all else is changed. A level that is lost leaves the claim of a lower one.
 */
export function keepClaims(
  pdf: Pdf,
  { hasUntagged = false, isEncrypted = false }: { hasUntagged?: boolean; isEncrypted?: boolean } = {},
): ToolWarning[] {
  const claims = claimsOf(pdf);
  if (claims.length === 0) return [];
  const facts = factsOf(pdf, { hasUntagged, isEncrypted });
  const changes: ClaimChange[] = [];
  const warnings: ToolWarning[] = [];
  for (const claim of claims) {
    const whole = brokenClause(claim, facts);
    const clause = whole ?? brokenLevelClause(claim, facts);
    if (clause === undefined) continue;
    const standard = whole === undefined ? claimWithLevel(claim) : claimName(claim);
    changes.push({ claim, level: whole === undefined ? plainLevel(claim) : undefined });
    warnings.push({ code: "standard_lost", standard, clause });
  }
  if (changes.length > 0 || (claimsPdfA1(pdf) && hasFilteredMetadata(pdf))) changeClaims(pdf, changes);
  return warnings;
}

/** Warnings for removed metadata in which a document claims a standard. */
export function claimsLostWithMetadata(claims: readonly Claim[]): ToolWarning[] {
  return claims.map((claim) => ({
    code: "standard_lost",
    standard: claimName(claim),
    clause: identificationClause(claim),
  }));
}

/** PDF/A-1 wants metadata that can be found by a search (ISO 19005-1, 6.7.2). qpdf packs it when it encrypts. */
function hasFilteredMetadata(pdf: Pdf): boolean {
  return dictOf(resolve(pdf, catalogOf(pdf)?.get("Metadata")))?.has("Filter") ?? false;
}

function factsOf(
  pdf: Pdf,
  { hasUntagged, isEncrypted }: { hasUntagged: boolean; isEncrypted: boolean },
): DocumentFacts {
  const catalog = catalogOf(pdf);
  const marks = dictIn(pdf, catalog, "MarkInfo");
  const names = dictIn(pdf, catalog, "Names");
  const preferences = dictIn(pdf, catalog, "ViewerPreferences");
  return {
    version: resultVersion(pdf),
    isEncrypted,
    hasId: resultTrailer(pdf).has("ID"),
    hasAttachments: names?.has("EmbeddedFiles") ?? false,
    isMarked: resolve(pdf, marks?.get("Marked")) === true,
    isSuspect: resolve(pdf, marks?.get("Suspects")) === true,
    hasStructure: dictAt(pdf, catalog?.get("StructTreeRoot")) !== undefined,
    hasUntagged,
    showsTitle: resolve(pdf, preferences?.get("DisplayDocTitle")) === true,
  };
}

/** Facts that standards require of a document and that the tools can change. */
interface DocumentFacts {
  /** Such as "1.7". */
  readonly version: string;
  readonly isEncrypted: boolean;
  readonly hasId: boolean;
  readonly hasAttachments: boolean;
  /** Whether the catalog says that the document is tagged. */
  readonly isMarked: boolean;
  /** Whether the catalog says that its tags cannot be relied on. */
  readonly isSuspect: boolean;
  readonly hasStructure: boolean;
  /** Whether content stands somewhere without the tags that it has in another place. */
  readonly hasUntagged: boolean;
  /** Whether a window shows the title and not the name of the file. */
  readonly showsTitle: boolean;
}

/** The clause that asks for it, by part of the standard, from 1; null where a part does not. */
type Rule = readonly [clauses: readonly (string | null)[], holds: (facts: DocumentFacts) => boolean];

/** ISO 19005-1 to -4. What the tools never touch, such as fonts and colors, is the author's to claim. */
const PDF_A: readonly Rule[] = [
  [[null, "6.1.2", "6.1.2"], ({ version }) => /^1\.[0-7]$/.test(version)],
  [[null, null, null, "6.1.2"], ({ version }) => version.startsWith("2.")],
  [["6.1.3", "6.1.3", "6.1.3", "6.1.3"], ({ hasId, isEncrypted }) => hasId && !isEncrypted],
];

/** Additional rules of a level. */
const PDF_A_LEVELS: Readonly<Record<string, readonly Rule[]>> = {
  A: [
    [["6.8.2.2", "6.7.2.2", "6.7.2.2"], ({ isMarked, isSuspect }) => isMarked && !isSuspect],
    [["6.8.3.3", "6.7.3.3", "6.7.3.3"], ({ hasStructure }) => hasStructure],
    [["6.8.2", "6.7.2", "6.7.2"], ({ hasUntagged }) => !hasUntagged],
  ],
  F: [[[null, null, null, "6.9"], ({ hasAttachments }) => hasAttachments]],
};

/** ISO 14289-1 and -2. */
const PDF_UA: readonly Rule[] = [
  [["7.1", "8.2.1"], ({ isMarked, isSuspect, hasStructure }) => isMarked && !isSuspect && hasStructure],
  [["7.1", "8.2.2"], ({ hasUntagged }) => !hasUntagged],
  [["7.1", "8.11.2"], ({ showsTitle }) => showsTitle],
];

/** A clause that a document with these facts does not fulfil, so that it must not claim the standard. */
function brokenClause(claim: Claim, facts: DocumentFacts): string | undefined {
  return firstBroken(claim.standard === "PDF/A" ? PDF_A : PDF_UA, claim, facts);
}

/** A clause that only the level of the claim asks for. */
function brokenLevelClause(claim: Claim, facts: DocumentFacts): string | undefined {
  const rules = claim.standard === "PDF/A" ? PDF_A_LEVELS[claim.level] : undefined;
  return firstBroken(rules ?? [], claim, facts);
}

function firstBroken(rules: readonly Rule[], claim: Claim, facts: DocumentFacts): string | undefined {
  for (const [clauses, holds] of rules) {
    const clause = clauses[claim.part - 1];
    if (clause && !holds(facts)) return clause;
  }
  return undefined;
}

/** The level of the same part that asks for no tags and no attachments; empty where it has none. */
function plainLevel({ part, level }: Claim): string {
  if (level !== "A") return "";
  return part === 1 ? "B" : "U";
}

/** The clause that asks for the claim itself, in the metadata, by part. */
const IDENTIFICATION = {
  "PDF/A": ["6.7.11", "6.6.4", "6.6.4", "6.7.3"],
  "PDF/UA": ["5", "5"],
} as const;

function identificationClause({ standard, part }: Claim): string {
  const clauses: readonly string[] = IDENTIFICATION[standard];
  return clauses[part - 1] ?? clauses[clauses.length - 1] ?? "";
}
