import type { Pdf } from "../model/document.ts";
import { keyOf, nameString } from "../model/trees.ts";
import type { ActionContext } from "../navigation/actions.ts";
import { changeActions } from "./actions.ts";
import type { MergeSource } from "./merge-source.ts";

interface Renaming {
  readonly source: MergeSource;
  /** By the name of an attached file: its name in the result. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Lets actions that lead into attached files follow them to their new names. */
export function followFileNames(pdf: Pdf, { source, renamed }: Renaming): void {
  if ([...renamed].every(([name, fresh]) => fresh === name)) return;
  const changeFileName: ActionContext["changeFileName"] = (name) => {
    const key = keyOf(name) ?? "";
    const fresh = renamed.get(key);
    return fresh === undefined || fresh === key ? name : nameString(fresh);
  };
  changeActions(pdf, { source, changes: { changeFileName } });
}
