import type { Pdf } from "../model/document.ts";
import { keyOf, nameString } from "../model/trees.ts";
import type { ActionContext } from "../navigation/actions.ts";
import { changeActions } from "./actions.ts";
import type { MergeSource } from "./merge-source.ts";

/** Lets actions that lead into attached files follow them to their new names, which `renamed` has by the old ones. */
export function followFileNames(
  pdf: Pdf,
  { source, renamed }: { source: MergeSource; renamed: ReadonlyMap<string, string> },
): void {
  if ([...renamed].every(([name, fresh]) => fresh === name)) return;
  const changeFileName: ActionContext["changeFileName"] = (name) => {
    const key = keyOf(name) ?? "";
    const fresh = renamed.get(key);
    return fresh === undefined || fresh === key ? name : nameString(fresh);
  };
  changeActions(pdf, { source, changes: { changeFileName } });
}
