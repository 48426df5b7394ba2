/** What can be taken out of a document. */
export const REMOVABLE = [
  "metadata",
  "scripts",
  "attachments",
  "annotations",
  "forms",
  "bookmarks",
  "layers",
] as const;

export type Removable = (typeof REMOVABLE)[number];

export const REMOVED_BY_DEFAULT = ["metadata", "scripts", "attachments"] as const satisfies Removable[];

/** What a caller may name; `none` stands alone, and the document is only written anew. */
export const REMOVE = [...REMOVABLE, "none"] as const;

export type Remove = (typeof REMOVE)[number];
