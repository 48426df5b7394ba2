import {
  parseLink,
  parseRequestLink,
  type AnswerLink,
  type CollectLink,
  type SecretLink,
} from "../../wire/links/links.ts";
import { unwrapLink } from "../../wire/links/wrapped-links.ts";
import { CliError, usageError } from "../exit.ts";
import { readTextInput, STANDARD } from "../files/input.ts";
import type { Io } from "../terminal/io.ts";
import { chosenServer, linkedServer, type ServerAddress } from "./connect.ts";

const ID_AND_TOKEN = /^([0-9A-Za-z]{16})(?:\.([0-9A-Za-z]{32}))?$/;
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * Other services that share secrets by links. Anybody can run most of them, so the form of an address after its scheme
 * tells them apart, not its host. The command opens a link, where there is one besides a browser.
 */
const NEIGHBOURS: readonly { readonly name: string; readonly form: RegExp; readonly command?: string }[] = [
  { name: "Yopass", form: new RegExp(`/#/[scfd]/${UUID}`, "i"), command: "yopass --decrypt LINK" },
  { name: "PrivateBin", form: /\/\?(?:[^#&]*&)?[0-9a-f]{16}(?:&[^#]*)?#-?[1-9A-HJ-NP-Za-km-z]{40,46}$/ },
  { name: "Bitwarden Send", form: /\/#\/send\/[\w-]{22}\/[\w-]{22}$/, command: "bw send receive LINK" },
  {
    name: "Bitwarden Send",
    form: /^send\.bitwarden\.\w+\/#[\w-]{22}\/[\w-]{22}$/,
    command: "bw send receive LINK",
  },
  { name: "cryptgeon", form: /\/note\/[\w-]+(?:#[\w-]+)?$/, command: "cryptgeon open LINK" },
  {
    name: "Enclosed",
    form: /\/[0-9a-hjkmnp-tv-z]{26}#(?:(?:pw|dar):)*[\w-]{40,50}$/i,
    command: "enclosed view LINK",
  },
  { name: "Hemmelig", form: /\/secret\/[\w-]+#(?:encryption_?key=|decryptionKey=)?\S+$/i },
  { name: "One-Time Secret", form: /\/(?:secret|private|receipt)\/[0-9a-z]{20,80}$/i },
  { name: "One-Time Secret", form: /(?:^|\.)onetimesecret\.(?:com|dev)\//i },
  { name: "Password Pusher", form: /(?:^|\.)pwpush\.com\/(?:\w\w(?:-\w+)?\/)?[pfr]\//i },
  { name: "Password Pusher", form: /\/(?:\w\w(?:-\w+)?\/)?[pf]\/[\w-]{8,32}(?:\/(?:r|preview))?$/ },
  { name: "Send", form: /\/download\/[0-9a-f]{10,16}\/?#[\w-]{22}$/i, command: "ffsend download LINK" },
  { name: "SnapPass", form: /\/(?:[\w-]+)?snappass[0-9a-f]{32}(?:~|%7e)[\w%=-]{40,60}$/i },
  { name: "1Password", form: /^share\.1password\.(?:com|eu|ca)\/s(?:\/\w*)?#\S+$/ },
  { name: "Proton Pass", form: /^pass\.proton\.me\/secure\/\S+$/ },
  { name: "Privnote", form: /^privnote\.com\/\w+#\w+$/ },
  { name: "scrt.link", form: /^scrt\.link\/\S+$/ },
  { name: "Wormhole", form: /^wormhole\.app\/\w+#[\w-]+$/ },
];

/** A link given as an argument, or on standard input for "-", since others can see arguments. */
export async function takeLink(io: Io, operand: string): Promise<string> {
  if (operand !== STANDARD) return operand;
  return (await readTextInput(io, STANDARD)).trim();
}

/**
 * Reads the link of a secret or a request, also inside the link of a mail gateway.
 * @throws CliError usage for an incomplete or unknown link; nothing is sent and nothing consumed then
 */
export function readSecretLink(given: string): SecretLink {
  const text = unwrapLink(given);
  const parsed = parseLink(text);
  if (parsed.is === "complete") return parsed.link;
  const { is } = parseRequestLink(text);
  if (is === "answer") throw wrongLink("`hushkit answer` answers it");
  if (is === "collect") throw wrongLink("`hushkit collect` collects its answer");
  const advice = adviseOnNeighbour(text);
  if (advice !== undefined) throw usageError(advice);
  throw notWhole("https://HOST/s/ID#KEY");
}

/** @throws CliError usage */
export function readAnswerLink(text: string): AnswerLink {
  const parsed = parseRequestLink(unwrapLink(text));
  if (parsed.is === "answer") return parsed.link;
  if (parsed.is === "collect") throw wrongLink("its asker keeps it, and `hushkit collect` takes it");
  throw notWhole("https://HOST/r/ID#KEY");
}

/** @throws CliError usage */
export function readCollectLink(text: string): CollectLink {
  const parsed = parseRequestLink(unwrapLink(text));
  if (parsed.is === "collect") return parsed.link;
  if (parsed.is === "answer") throw wrongLink("it is the one to give away; the other one collects");
  throw notWhole("https://HOST/r/ID/collect#TOKEN.KEY");
}

function wrongLink(why: string): CliError {
  return usageError(`This is the link of a request: ${why}.`);
}

function notWhole(form: string): CliError {
  const message = `This is not a whole link: it is like ${form}, to its last character. In a shell, put it in quotes.`;
  return usageError(message);
}

/** A secret or a request as its sender or receiver refers to it, and what proves that they may ask. */
export type Reference =
  | { readonly is: "secret"; readonly id: string; readonly key?: string; readonly revokeToken?: string }
  | { readonly is: "answer"; readonly link: AnswerLink }
  | { readonly is: "collect"; readonly link: CollectLink };

/** Reads a link, `ID.TOKEN` as `hushkit send` prints it, or the id of one's own secret. */
export async function readNamed(
  io: Io,
  operand: string,
): Promise<{ server: ServerAddress; named: Reference }> {
  const text = await takeLink(io, operand);
  const [, id, revokeToken] = ID_AND_TOKEN.exec(text.trim()) ?? [];
  if (id !== undefined) {
    const token = revokeToken === undefined ? {} : { revokeToken };
    return { server: await chosenServer(io), named: { is: "secret", id, ...token } };
  }
  const request = parseRequestLink(unwrapLink(text));
  if (request.is === "answer" || request.is === "collect")
    return { server: await linkedServer(io, request.link), named: request };
  const link = readSecretLink(text);
  return { server: await linkedServer(io, link), named: { is: "secret", id: link.id, key: link.key } };
}

/** No service has longer links; bounded because a pattern may be tried at each letter. */
const MOST_LETTERS = 2_048;

/**
 * What to do with a link of another service; undefined for an unknown link. Only the text is looked at: contacting the
 * service would use up some of these links.
 */
function adviseOnNeighbour(text: string): string | undefined {
  const [, given = ""] = /https?:\/\/(\S+)/i.exec(text) ?? [];
  const address = given.length > MOST_LETTERS ? undefined : given.replace(/[.,;:!?)\]>"'*]+$/, "");
  const found = NEIGHBOURS.find(({ form }) => address !== undefined && form.test(address));
  if (!found) return undefined;
  const command = found.command === undefined ? "" : `, or with \`${found.command}\``;
  return `This looks like a link of ${found.name}, which Hushkit does not open: open it in a browser${command}. Nothing was asked of anybody.`;
}
