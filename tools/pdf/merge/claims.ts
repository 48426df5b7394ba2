import { arrayAt, dictAt, type Pdf, resolve } from "../model/document.ts";
import {
  changeClaims,
  type Claim,
  type ClaimChange,
  claimName,
  claimsOf,
  claimWithLevel,
  readClaims,
} from "../standards/claims.ts";
import { type Dict, dictOf } from "../syntax/values.ts";
import type { MergeSource } from "./merge-source.ts";

/** From the weakest to the strictest conformance level of PDF/A; each includes those before it. */
const LEVELS = "BUA";
/** The clause of each part of ISO 19005 that requires an output intent to match the colors. */
const INTENT_CLAUSES = ["6.2.2", "6.2.3", "6.2.3", "6.2.3"];

/** The result has the metadata of the first file, so it keeps only those claims that all files make. */
export function joinClaims(pdf: Pdf, sources: readonly MergeSource[]): void {
  const [first, ...others] = sources;
  if (!first) return;
  const intents = intentColors(pdf, first.catalog);
  const changes = claimsOf(pdf).flatMap((claim): ClaimChange[] => {
    let shared: Claim | undefined = claim;
    for (const source of others) {
      if (!shared) break;
      shared = sharedClaim(pdf, { claim: shared, source, intents });
    }
    return shared?.level === claim.level ? [] : [{ claim, level: shared?.level }];
  });
  if (changes.length > 0) changeClaims(pdf, changes);
}

/** The part of a claim that still holds after adding a file; warns about that file where its claim differs. */
function sharedClaim(
  pdf: Pdf,
  { claim, source, intents }: { claim: Claim; source: MergeSource; intents: ReadonlySet<unknown> },
): Claim | undefined {
  const { catalog, warnings } = source;
  const { standard, part, level } = claim;
  const own = readClaims(pdf, catalog.get("Metadata")).find(
    (each) => each.standard === standard && each.part === part,
  );
  const lower = own && lowerLevel(level, own.level);
  if (lower === undefined) {
    warnings.push({ code: "standard_not_shared", standard: claimName(claim) });
    return undefined;
  }
  const clause = standard === "PDF/A" ? INTENT_CLAUSES[part - 1] : undefined;
  if (clause && [...intentColors(pdf, catalog)].some((color) => !intents.has(color))) {
    warnings.push({ code: "standard_lost", standard: claimName(claim), clause });
    return undefined;
  }
  if (lower !== level) warnings.push({ code: "standard_not_shared", standard: claimWithLevel(claim) });
  return { ...claim, level: lower };
}

/** The level that both satisfy; undefined where neither includes the other. */
function lowerLevel(a: string, b: string): string | undefined {
  if (a === b) return a;
  const [first, second] = [LEVELS.indexOf(a || "?"), LEVELS.indexOf(b || "?")];
  if (first < 0 || second < 0) return undefined;
  return first < second ? a : b;
}

/** The numbers of components in the output intents that PDF/A checks: 1 for gray, 3 for RGB, 4 for CMYK. */
function intentColors(pdf: Pdf, catalog: Dict): Set<unknown> {
  const intents = (arrayAt(pdf, catalog.get("OutputIntents")) ?? []).map((each) => dictAt(pdf, each));
  const profiles = intents
    .filter((intent) => resolve(pdf, intent?.get("S")) === "GTS_PDFA1")
    .flatMap((intent) => dictOf(resolve(pdf, intent?.get("DestOutputProfile"))) ?? []);
  return new Set(profiles.map((profile) => resolve(pdf, profile.get("N"))));
}
