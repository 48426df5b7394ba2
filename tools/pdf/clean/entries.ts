import type { Removable } from "../../clean-kinds.ts";
import { type Pdf, resolve } from "../model/document.ts";
import type { Dict, Value } from "../syntax/values.ts";

/** Dictionaries whose keys are names that an author chose (ISO 32000-2, 7.8.3, 9.6.4, 12.3.2.4, 14.7). */
export const NAMED: ReadonlySet<string> = new Set([
  ...["Font", "XObject", "ExtGState", "ColorSpace", "Pattern", "Shading", "Properties"],
  ...["CharProcs", "Dests", "Colorants", "ClassMap", "RoleMap"],
]);

/** Entries that are of a kind wherever they stand. */
const KINDS: Readonly<Record<string, Removable>> = {
  // 14.3.2, 14.5, 12.3.4; 14.12.4.2 of document parts; what web capture has noted (14.10.2).
  ...{ Metadata: "metadata", PieceInfo: "metadata", LastModified: "metadata", Thumb: "metadata" },
  ...{ DPM: "metadata", SpiderInfo: "metadata" },
  // Of names, rendition actions, 3D and rich media; an XML form has scripts of its own.
  ...{ JavaScript: "scripts", JS: "scripts", OnInstantiate: "scripts", Scripts: "scripts", XFA: "scripts" },
  // 7.11.4, with what media annotations have embedded.
  ...{ EmbeddedFiles: "attachments", AF: "attachments", Collection: "attachments" },
  ...{ EF: "attachments", RF: "attachments" },
  ...{ AcroForm: "forms", Perms: "forms", NeedsRendering: "forms" },
  ...{ Outlines: "bookmarks", OCProperties: "layers", OC: "layers" },
};

/** What the window shows beside the pages (table 29). */
const MODES: Readonly<Record<string, Removable>> = {
  UseOutlines: "bookmarks",
  UseAttachments: "attachments",
  UseOC: "layers",
};

/** The kind of what an entry of a dictionary holds. */
export function kindOfEntry(
  pdf: Pdf,
  { dict, key, value }: { dict: Dict; key: string; value: Value },
): Removable | undefined {
  if (key === "PageMode") {
    const mode = resolve(pdf, value);
    return typeof mode === "string" && Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
  }
  // A signature's own permissions are no form; those of the document are.
  if (key === "Perms" && dict.get("Type") !== "Catalog") return undefined;
  return Object.hasOwn(KINDS, key) ? KINDS[key] : undefined;
}
