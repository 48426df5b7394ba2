/** A link to a secret: its id, the server's key, and the inner key that no server ever sees. */
export interface SecretLink {
  readonly id: string;
  readonly key: string;
  readonly inner: string | undefined;
}

export type ParsedLink =
  | { readonly is: "complete"; readonly link: SecretLink }
  | { readonly is: "incomplete"; readonly id: string }
  | { readonly is: "none" };

export const ID_LENGTH = 16;
export const KEY_LENGTH = 22;
export const INNER_LENGTH = 43;

// Mail gateways may turn the # into %23, and chats may add a space or a line break at the end.
const LINK = /\/s\/([0-9A-Za-z]+)(?:\?[^#]*)?(?:(?:#|%23)([0-9A-Za-z]*)(?:(?:\.|%2e)([0-9A-Za-z]*))?)?/i;

/** Parses a link. An incomplete one is recognised before anything is sent. */
export function parseLink(text: string): ParsedLink {
  const match = LINK.exec(text.trim());
  if (!match) return { is: "none" };
  const [, id = "", key = "", inner] = match;
  const isComplete =
    id.length === ID_LENGTH &&
    key.length === KEY_LENGTH &&
    (inner === undefined || inner.length === INNER_LENGTH);
  return isComplete ? { is: "complete", link: { id, key, inner } } : { is: "incomplete", id };
}
