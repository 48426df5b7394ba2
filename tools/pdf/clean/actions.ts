import type { Removable } from "../../clean-kinds.ts";
import { resolve } from "../model/document.ts";
import { changeAction, changeTriggers } from "../navigation/actions.ts";
import { textOf } from "../syntax/strings.ts";
import { type Dict, isString, type Value } from "../syntax/values.ts";
import { type Cleaning, takesOut } from "./cleaning.ts";

/** What an action does beyond leading through the document (ISO 32000-2, table 201). */
const ACTIONS: Readonly<Record<string, Removable>> = {
  ...{ JavaScript: "scripts", Launch: "scripts", ImportData: "scripts", SubmitForm: "scripts" },
  ...{ RichMediaExecute: "scripts", GoToE: "attachments", SetOCGState: "layers" },
  ...{ ResetForm: "forms" },
};

/** Where actions stand: what happens on opening, on a click, and on other events. */
const CLICKS = ["OpenAction", "A", "PA"];
const TRIGGERS = "AA";

/** An entry without the actions that go; undefined where none is left, and any other entry as it is. */
export function cleanActions(
  cleaning: Cleaning,
  { key, value }: { key: string; value: Value },
): Value | undefined {
  const { pdf } = cleaning;
  const change = (action: Dict) => cleanAction(cleaning, action);
  if (key === TRIGGERS) return changeTriggers(pdf, { triggers: value, change });
  return CLICKS.includes(key) ? changeAction(pdf, { action: value, change }) : value;
}

function cleanAction(cleaning: Cleaning, action: Dict): Dict | undefined {
  const what = action.get("S");
  const known = typeof what === "string" && Object.hasOwn(ACTIONS, what) ? ACTIONS[what] : undefined;
  const kind = isScriptLink(cleaning, action) ? "scripts" : known;
  return kind && takesOut(cleaning, kind) ? undefined : action;
}

/** Viewers in a browser may follow such a link. */
function isScriptLink({ pdf }: Cleaning, action: Dict): boolean {
  const uri = action.get("S") === "URI" ? resolve(pdf, action.get("URI")) : undefined;
  return isString(uri) && /^[\0-\x20]*javascript:/i.test(textOf(uri));
}
