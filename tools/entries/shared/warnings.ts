// Exported by the entries for images and for PDF.
export { describeWarnings, type DescribedWarning, type ToolWarning } from "../../../wire/tool-warning.ts";
