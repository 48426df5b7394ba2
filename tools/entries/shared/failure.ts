// Of every entry. What several entries have is a module that each exports whole: of what two modules export by its name,
// esbuild's splitting loads both of them.
export { ToolFailure } from "../../../wire/tool-failure.ts";
