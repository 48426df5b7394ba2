import type { Source } from "./source.ts";

/** What the trailer of every result has. The first /ID stays: it tells the document's identity (14.4). */
const KEPT = ["Root", "Info", "ID"];
/** What belongs to the old file: its encryption, its sections, and the stream its trailer may have been. */
const LEFT = [
  ...[
    "Size",
    "Prev",
    "XRefStm",
    "Encrypt",
    "AuthCode",
    "Type",
    "W",
    "Index",
    "Length",
    "Filter",
    "DecodeParms",
  ],
  ...["DL", "F", "FFilter", "FDecodeParms"],
];

export function isKept(key: string): boolean {
  return KEPT.includes(key);
}

/** Whether a program put it there for itself, as LibreOffice does with the document that a PDF was made from. */
export function isPrivate(key: string): boolean {
  return !isKept(key) && !LEFT.includes(key);
}

export function hasPrivate({ trailer }: Source): boolean {
  return [...trailer.keys()].some(isPrivate);
}
