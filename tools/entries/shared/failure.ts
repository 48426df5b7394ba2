// Exported by every entry. What several entries share is a module that each exports as a whole: if two modules export
// something by its name, esbuild's splitting loads both of them.
export { ToolFailure } from "../../../wire/tool-failure.ts";
