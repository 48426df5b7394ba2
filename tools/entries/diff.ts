// Differences of texts: @hushkit/tools/diff.
export * from "./shared/failure.ts";
export { compareTexts, type CompareOptions, type TextComparison } from "../text-compare.ts";
