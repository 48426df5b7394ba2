// Links inside links: mail gateways and chats put their own address around one, to look at whoever follows it.
import { parseLink, parseRequestLink } from "./links.ts";

/** Wrappers around wrappers. */
const MOST_LAYERS = 3;
/** Longer than any wrapper: what is in it would be looked for again at each of its letters. */
const MOST_LETTERS = 16_384;

/**
 * The link that is inside a wrapper (Safe Links, Proofpoint, Barracuda, redirects of search engines and chats), or the
 * text as it is. What is a whole link of ours by itself stays, whatever its query holds.
 */
export function unwrapLink(text: string): string {
  const [address = ""] = /https?:\/\/\S+/i.exec(text) ?? [];
  if (isOwn(address) && !/^[^?]*\?.*https?(?::|%)/i.test(address.replace(/#.*/, ""))) return text;
  return address.length > MOST_LETTERS ? text : (innerLink(address, MOST_LAYERS) ?? text);
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
  const secret = parseLink(text);
  if (secret.is === "complete") return secret.link.server !== "";
  const request = parseRequestLink(text);
  return (request.is === "answer" || request.is === "collect") && request.link.server !== "";
}

/** Every address that an address holds. */
function insideOf(address: string): string[] {
  const [, starred, replaced = ""] = /\/v3\/__(\S+?)__;([\w-]*)!/.exec(address) ?? [];
  if (starred !== undefined) return [fillStars(starred, replaced)];
  // By hand: a # that was left as it is would end the query of a URL.
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

/** Proofpoint's third form puts a star in the place of each character that it lists, in base64url, behind the address. */
function fillStars(address: string, replaced: string): string {
  const characters = [...atob(replaced.replaceAll("-", "+").replaceAll("_", "/"))];
  return address.replaceAll("*", () => characters.shift() ?? "*");
}
