import type { Removable } from "../../clean-kinds.ts";
import { type Pdf, resolve } from "../model/document.ts";
import type { Value } from "../syntax/values.ts";
import { hasScriptBase } from "./actions.ts";

/** Entries that are of a kind wherever they stand. */
const KINDS: ReadonlyMap<string, Removable> = new Map(
  Object.entries<Removable>({
    // Of names, rendition actions, 3D and rich media; an XML form has scripts of its own.
    ...{ JavaScript: "scripts", JS: "scripts", OnInstantiate: "scripts", Scripts: "scripts", XFA: "scripts" },
    XFAResources: "scripts",
    XFAImages: "scripts",
    // What a reader must be able to do (12.11); pages that only scripts put in.
    ...{ Requirements: "scripts", Templates: "scripts" },
    // 7.11.4, with what media annotations have embedded.
    ...{ EmbeddedFiles: "attachments", AF: "attachments", Collection: "attachments" },
    EF: "attachments",
    RF: "attachments",
    // With what signatures are checked by, and what they vouch for (12.8.4.3, 12.8.7).
    ...{ AcroForm: "forms", Perms: "forms", DSS: "forms", Legal: "forms", NeedsRendering: "forms" },
    Outlines: "bookmarks",
    OCProperties: "layers",
    OC: "layers",
  }),
);

/** What the window shows beside the pages (table 29). */
const MODES: Readonly<Record<string, Removable>> = {
  UseOutlines: "bookmarks",
  UseAttachments: "attachments",
  UseOC: "layers",
};

/** The kind of what an entry of a dictionary holds. */
export function kindOfEntry(pdf: Pdf, { key, value }: { key: string; value: Value }): Removable | undefined {
  if (key === "URI" && hasScriptBase(pdf, value)) return "scripts";
  if (key !== "PageMode") return KINDS.get(key);
  const mode = resolve(pdf, value);
  return typeof mode === "string" && Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
}
