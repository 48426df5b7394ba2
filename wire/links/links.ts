// The links that people share, as pages and command line read and write them (docs/formats.md).

/** A link to a secret: its server and id, the server's key, and the inner key that no server ever sees. */
export interface SecretLink {
  /** The part before `/s/`; empty in a link of the page itself. */
  readonly server: string;
  readonly id: string;
  readonly key: string;
  readonly inner: string | undefined;
}

/**
 * The link of a request that its owner gives away: anybody with it can answer. The key is base64url and not decoded
 * here.
 */
export interface AnswerLink {
  readonly server: string;
  readonly id: string;
  readonly publicKey: string;
}

/** The link of a request that its owner keeps: it collects the answer. */
export interface CollectLink {
  readonly server: string;
  readonly id: string;
  readonly collectToken: string;
  readonly privateKey: string;
}

const ID_LENGTH = 16;
const KEY_LENGTH = 22;
const TOKEN_LENGTH = 32;
/** 256 bits in base62. */
export const INNER_LENGTH = 43;
/** 32 bytes in base64url. */
const LINK_KEY_LENGTH = 43;

// Mail gateways may turn # into %23 or %2523 and put a query before it, chats a slash; after it there may be the end of
// a sentence, a bracket, or tracking parameters. More letters would make a different link.
const HASH = String.raw`\/?(?:\?[^#]{0,2000})?(?:#|%(?:25)*23)`;
const DOT = String.raw`(?:\.|%(?:25)*2e)`;
// Starts at the beginning of a word: tried at each letter, a text of a megabyte would take hours.
const BEFORE = String.raw`(?:^|\s)(\S*)`;
const END = String.raw`(?:[?&][\w-]+=\S*|(?:%[\da-f]{2}|[^\w\s%-])*)(?=\s|$)`;
const SECRET = new RegExp(
  String.raw`${BEFORE}\/s\/([0-9A-Za-z]+)(?:${HASH}([0-9A-Za-z]*)(?:${DOT}([0-9A-Za-z]*))?)?${END}`,
  "i",
);
const REQUEST = new RegExp(
  String.raw`${BEFORE}\/r\/([0-9A-Za-z]+)(?:${HASH}([\w-]*)|\/collect(?:${HASH}([0-9A-Za-z]*)(?:${DOT}([\w-]*))?)?)?${END}`,
  "i",
);

// Characters without width, as they are and as browsers encode them in an address.
const INVISIBLE = /[\xad\u200b-\u200f\u2060\ufeff]|%e2%80%8[b-f]|%e2%81%a0|%ef%bb%bf/gi;

function matchOf(text: string, form: RegExp): (string | undefined)[] | undefined {
  const [, server = "", ...parts] = form.exec(text.replace(INVISIBLE, "").trim()) ?? [];
  // There may be brackets in front of it, or the address of a redirecting service.
  return parts.length > 0 ? [server.replace(/^.*(?=https?:)/i, ""), ...parts] : undefined;
}

/** Parses a link to a secret. Recognizes an incomplete link before anything is sent. */
export function parseLink(
  text: string,
):
  | { readonly is: "complete"; readonly link: SecretLink }
  | { readonly is: "incomplete"; readonly id: string }
  | { readonly is: "none" } {
  const match = matchOf(text, SECRET);
  if (!match) return { is: "none" };
  const [server = "", id = "", key = "", inner] = match;
  const isComplete =
    id.length === ID_LENGTH &&
    key.length === KEY_LENGTH &&
    (inner === undefined || inner.length === INNER_LENGTH);
  return isComplete ? { is: "complete", link: { server, id, key, inner } } : { is: "incomplete", id };
}

/** Parses either link of a request. */
export function parseRequestLink(
  text: string,
):
  | { readonly is: "answer"; readonly link: AnswerLink }
  | { readonly is: "collect"; readonly link: CollectLink }
  | { readonly is: "incomplete"; readonly id: string }
  | { readonly is: "none" } {
  const match = matchOf(text, REQUEST);
  if (!match) return { is: "none" };
  const [server = "", id = "", publicKey = "", collectToken = "", privateKey = ""] = match;
  if (id.length !== ID_LENGTH) return { is: "incomplete", id };
  if (publicKey.length === LINK_KEY_LENGTH) return { is: "answer", link: { server, id, publicKey } };
  if (collectToken.length === TOKEN_LENGTH && privateKey.length === LINK_KEY_LENGTH)
    return { is: "collect", link: { server, id, collectToken, privateKey } };
  return { is: "incomplete", id };
}

/** The two links of a request, for the address that the server gave it. */
export function requestLinks(made: { url: string } & Omit<AnswerLink & CollectLink, "server" | "id">) {
  const { url, publicKey, collectToken, privateKey } = made;
  return { answer: `${url}#${publicKey}`, collect: `${url}/collect#${collectToken}.${privateKey}` };
}
