import type { Removable } from "../../file/document-options.ts";
import type { Pdf } from "../model/document.ts";
import type { Hidden } from "./layers.ts";

/** A document that is being cleaned. */
export interface CleanedDocument {
  readonly pdf: Pdf;
  readonly kinds: ReadonlySet<Removable>;
  /** Of these kinds something was there. */
  readonly found: Set<Removable>;
  /** Annotations, fields and structure elements that go, by object number. */
  readonly gone: Set<number>;
  /** What layers hid, where they are taken out. */
  readonly hidden?: Hidden | undefined;
}

/** Whether something of this kind is to go; it is noted as found. */
export function takesOut({ kinds, found }: CleanedDocument, kind: Removable): boolean {
  if (!kinds.has(kind)) return false;
  found.add(kind);
  return true;
}
