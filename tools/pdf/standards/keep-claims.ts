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
import {
  brokenClause,
  brokenLevelClause,
  type DocumentFacts,
  identificationClause,
  plainLevel,
} from "./clauses.ts";

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

/** What is said where the metadata goes, in which a document claims a standard. */
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
  const marks = dictIn(pdf, { dict: catalog, key: "MarkInfo" });
  const names = dictIn(pdf, { dict: catalog, key: "Names" });
  const preferences = dictIn(pdf, { dict: catalog, key: "ViewerPreferences" });
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
