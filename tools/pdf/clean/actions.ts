import type { Removable } from "../../file/document-options.ts";
import { dictAt, type Pdf, resolve } from "../model/document.ts";
import { changeAction } from "../navigation/actions.ts";
import { textOf } from "../syntax/strings.ts";
import { type Dict, isRef, isString, type Value } from "../syntax/values.ts";
import { type CleanedDocument, takesOut } from "./cleaned-document.ts";

/** What kind an action belongs to (ISO 32000-2, table 201); an empty word for navigation. All others are scripts. */
const ACTIONS: Readonly<Record<string, Removable | "">> = {
  GoTo: "",
  // Into another file, which may be on another machine: opening that one tells it who reads this one.
  GoToR: "scripts",
  GoToDp: "",
  Thread: "",
  URI: "",
  Named: "",
  Trans: "",
  GoTo3DView: "",
  NOP: "",
  Sound: "",
  Movie: "",
  Rendition: "",
  Hide: "",
  SetState: "",
  GoToE: "attachments",
  SetOCGState: "layers",
  ResetForm: "forms",
};

/** Other named actions run commands of the viewer (table 216), so they count as scripts. */
const NAMED: readonly (Value | undefined)[] = ["NextPage", "PrevPage", "FirstPage", "LastPage"];

/** Where actions name the annotation or field that they play, show or hide. */
const TARGETS = ["Annotation", "AN", "TA", "T"];

/** An action with those after it, without removed ones; undefined where none is left. */
export function cleanActions(cleaned: CleanedDocument, action: Value): Value | undefined {
  return changeAction(cleaned.pdf, action, (each) => cleanAction(cleaned, each));
}

function cleanAction(cleaned: CleanedDocument, action: Dict): Dict | undefined {
  const { pdf } = cleaned;
  const type = resolve(pdf, action.get("S"));
  // A destination may take the place of an action.
  if (type === undefined && !action.has("JS")) return action;
  const known = typeof type === "string" && Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : "scripts";
  const kind = isScript(pdf, action, type) ? "scripts" : known;
  if (kind && takesOut(cleaned, kind)) return undefined;
  return TARGETS.some((key) => isGone(cleaned, action.get(key))) ? undefined : action;
}

function isGone({ removed }: CleanedDocument, target: Value | undefined): boolean {
  return isRef(target) && removed.has(target.num);
}

/** Viewers in a browser may follow a link that is a script, even with white space in it (URL Standard, 4.4). */
function isScript(pdf: Pdf, action: Dict, type: Value | undefined): boolean {
  if (type === "Named") return !NAMED.includes(resolve(pdf, action.get("N")));
  if (type === "Thread") return action.has("F");
  return type === "URI" && isScriptUri(pdf, action.get("URI"));
}

// A link without a scheme goes to where the document is from. One with two backslashes, or with a slash in place of one of
// them, goes to another machine: Windows and browsers take both alike (URL Standard, 4.4).
function isScriptUri(pdf: Pdf, value: Value | undefined): boolean {
  const uri = resolve(pdf, value);
  if (!isString(uri)) return false;
  const text = textOf(uri).replace(/[\t\n\r]/g, "");
  const [, scheme] = /^[\0-\x20]*([a-z][a-z0-9+.-]*):/i.exec(text) ?? [];
  return scheme === undefined ? /^[\0-\x20]*(?:\\[\\/]|\/\\)/.test(text) : !WEB.has(scheme.toLowerCase());
}

/** Schemes of links to the web, and to people. */
const WEB: ReadonlySet<string> = new Set("http https ftp ftps mailto tel sms urn doi".split(" "));

/** Whether links are resolved against a script (12.6.4.8). */
export function hasScriptBase(pdf: Pdf, uri: Value): boolean {
  return isScriptUri(pdf, dictAt(pdf, uri)?.get("Base"));
}
