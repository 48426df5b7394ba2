import type { Removable } from "../../file/document-options.ts";
import type { Pdf } from "../model/document.ts";
import type { HiddenContent } from "./layers.ts";

/** A document that is being cleaned. */
export interface CleanedDocument {
  readonly pdf: Pdf;
  readonly kinds: ReadonlySet<Removable>;
  /** The kinds of which something was found. */
  readonly found: Set<Removable>;
  /** The numbers of removed annotations, fields and structure elements. */
  readonly removed: Set<number>;
  /** What layers hid, where layers are removed. */
  readonly hidden?: HiddenContent | undefined;
}

/** Whether something of this kind is to be removed; also notes that it was found. */
export function takesOut({ kinds, found }: CleanedDocument, kind: Removable): boolean {
  if (!kinds.has(kind)) return false;
  found.add(kind);
  return true;
}
