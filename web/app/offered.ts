import { TOOL_NAMES, type PageName } from "../../wire/pages.ts";
import { instance } from "./instance.ts";

/** Whether a page is there: those of tools that the operator has left out are not. */
export function isOffered(name: PageName): boolean {
  const { tools } = instance.value;
  return tools === undefined || !TOOL_NAMES.includes(name) || tools.includes(name);
}
