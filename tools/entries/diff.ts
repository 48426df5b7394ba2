// Differences of texts: @hushkit/tools/diff.
export { ToolFailure } from "../../wire/tool-failure.ts";
export { compareTexts, type CompareOptions, type TextComparison } from "../text-compare.ts";
