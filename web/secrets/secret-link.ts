/** What a link to a secret says: the server's part of the key, and the part that no server ever sees. */
export interface SecretLink {
  readonly id: string;
  readonly key: string;
  readonly inner: string | undefined;
}

export type ReadLink =
  | { readonly is: "whole"; readonly link: SecretLink }
  | { readonly is: "cut"; readonly id: string }
  | { readonly is: "none" };

export const ID_LENGTH = 16;
export const KEY_LENGTH = 22;
export const INNER_LENGTH = 43;

// A gateway may have made %23 of the #, and a chat may have put a blank or a line break at the end.
const LINK = /\/s\/([0-9A-Za-z]+)(?:\?[^#]*)?(?:(?:#|%23)([0-9A-Za-z]*)(?:(?:\.|%2e)([0-9A-Za-z]*))?)?/i;

/** Reads a link without asking anybody: one that lacks a piece is told apart before anything is sent. */
export function readLink(text: string): ReadLink {
  const match = LINK.exec(text.trim());
  if (!match) return { is: "none" };
  const [, id = "", key = "", inner] = match;
  const isWhole =
    id.length === ID_LENGTH &&
    key.length === KEY_LENGTH &&
    (inner === undefined || inner.length === INNER_LENGTH);
  return isWhole ? { is: "whole", link: { id, key, inner } } : { is: "cut", id };
}
