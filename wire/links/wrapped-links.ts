// Links inside other texts: mail gateways and chats wrap a link in an address of their own, to check it when it is
// followed, and people paste a link with the markup around it.
import { parseLink, parseRequestLink } from "./links.ts";

/** How many wrappers may contain each other. */
const MAX_LAYERS = 3;
/** Longer than any wrapper; bounded because the expressions below take quadratic time. */
const MAX_CHARACTERS = 16_384;

/** Into how many lines a link may be broken. */
const MAX_LINES = 4;

/**
 * The link in a text that was pasted: inside a wrapper (Safe Links, Proofpoint, Barracuda, redirects of search engines
 * and chats), in HTML, Markdown or JSON, or in several lines. The text as it is where there is no whole link. A whole
 * link stays, unless its query contains another address.
 */
export function unwrapLink(text: string): string {
  for (const form of formsOf(text)) {
    const link = unwrapAddress(form);
    if (wholeLink(link)) return link;
  }
  return text;
}

/** The dot of the inner key: a link that loses it would still look whole. */
const INNER = String.raw`\.[0-9A-Za-z]{8}`;
const BROKEN_AT_DOT = new RegExp(String.raw`=?\r?\n[\s>]{0,20}(?=${INNER})`, "g");
const MARKUP = new RegExp(
  String.raw`(?:&(?:[a-z]{2,6}|#x?[\da-f]{1,6});|[<>"'\x60|(){}[\]])(?!${INNER})`,
  "gi",
);

function* formsOf(given: string): Generator<string, void> {
  const text = given.replace(BROKEN_AT_DOT, "");
  yield text;
  yield text.replace(/<[^<>]*>/g, "");
  const plain = text.replaceAll("&amp;", "&").replace(/\\(?=[^0-9A-Za-z\s])/g, "");
  const bare = plain.replace(MARKUP, " ");
  yield bare;
  for (const part of bare.split(/(?=https?:\/\/)/i)) {
    const lines = part.split(/=?\r?\n/, MAX_LINES).map((line) => line.trim());
    for (let count = 2; count <= lines.length; count++) yield lines.slice(0, count).join("");
  }
}

function unwrapAddress(text: string): string {
  const [address = ""] = /https?:\/\/\S+/i.exec(text) ?? [];
  const hasInner = /^[^?]*\?.*https?(?::|%)/i.test(address.replace(/#.*/, ""));
  if (isOwn(address) && !hasInner) return text;
  return address.length > MAX_CHARACTERS ? text : (innerLink(address, MAX_LAYERS) ?? text);
}

function innerLink(address: string, layers: number): string | undefined {
  if (layers === 0) return undefined;
  for (const inside of insideOf(address)) {
    const found = innerLink(inside, layers - 1) ?? (isOwn(inside) ? inside : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOwn(text: string): boolean {
  return (wholeLink(text)?.server ?? "") !== "";
}

function wholeLink(text: string): { readonly server: string } | undefined {
  const secret = parseLink(text);
  if (secret.is === "complete") return secret.link;
  const request = parseRequestLink(text);
  return request.is === "answer" || request.is === "collect" ? request.link : undefined;
}

/** All addresses that an address contains. */
function insideOf(address: string): string[] {
  const [, starred, replaced = ""] = /\/v3\/__(\S+?)__;([\w-]*)!/.exec(address) ?? [];
  if (starred !== undefined) return [fillStars(starred, replaced)];
  // Parsed by hand: an unescaped # would end the query of a URL object.
  const values = address.split(/[?&]/).slice(1);
  return values.flatMap((each) => {
    const [, name = "", value = ""] = /^([\w-]+)=(\S+)$/.exec(each) ?? [];
    const isProofpoint = name === "u" && /^https?-3A__/i.test(value);
    const plain = decode(isProofpoint ? value.replaceAll("-", "%").replaceAll("_", "/") : value);
    return /^https?:\/\//i.test(plain) ? [plain] : [];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const LENGTHS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * Proofpoint's third form replaces some characters by stars and lists them in base64url after the address. Two stars
 * and a letter stand for a run of characters: A for two, B for three.
 */
function fillStars(address: string, replaced: string): string {
  let characters: string;
  try {
    characters = atob(replaced.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return address;
  }
  let at = 0;
  return address.replace(/\*(?:\*([\w-]))?/g, (stars, length: string | undefined) => {
    const run = characters.slice(at, (at += length ? LENGTHS.indexOf(length) + 2 : 1));
    return run === "" ? stars : run;
  });
}
