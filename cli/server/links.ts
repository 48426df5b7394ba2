import {
  parseLink,
  parseRequestLink,
  type AnswerLink,
  type CollectLink,
  type SecretLink,
} from "../../wire/links.ts";
import { unwrapLink } from "../../wire/wrapped-links.ts";
import { readTextInput, STANDARD } from "../files/input.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { chosenServer, linkedServer, type ServerAddress } from "./connect.ts";
import { adviseOnNeighbour } from "./neighbours.ts";

const ID_AND_TOKEN = /^([0-9A-Za-z]{16})(?:\.([0-9A-Za-z]{32}))?$/;

/** A link that was given, or that standard input holds where it is "-": arguments can be seen by others. */
export async function takeLink(io: Io, operand: string): Promise<string> {
  if (operand !== STANDARD) return operand;
  return (await readTextInput(io, STANDARD)).trim();
}

/** The link of a secret or a request, also inside that of a mail gateway. @throws CliError usage for a link that is cut or none; nothing was sent then, and nothing is consumed */
export function readSecretLink(given: string): SecretLink {
  const text = unwrapLink(given);
  const parsed = parseLink(text);
  if (parsed.is === "complete") return parsed.link;
  const { is } = parseRequestLink(text);
  if (is === "answer") throw wrongLink("`hushkit answer` answers it");
  if (is === "collect") throw wrongLink("`hushkit collect` collects its answer");
  const advice = adviseOnNeighbour(text);
  if (advice !== undefined) throw new CliError(EXIT.usage, advice);
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
  return new CliError(EXIT.usage, `This is the link of a request: ${why}.`);
}

function notWhole(form: string): CliError {
  const message = `This is not a whole link: it is like ${form}, to its last character. In a shell, put it in quotes.`;
  return new CliError(EXIT.usage, message);
}

/** A secret or a request as its sender or receiver names it, and by what they may ask for it. */
export type Named =
  | { readonly is: "secret"; readonly id: string; readonly key?: string; readonly revokeToken?: string }
  | { readonly is: "answer"; readonly link: AnswerLink }
  | { readonly is: "collect"; readonly link: CollectLink };

/** Reads a link, `ID.TOKEN` as `hushkit send` shows it, or the id of a secret of one's own. */
export async function readNamed(io: Io, operand: string): Promise<{ server: ServerAddress; named: Named }> {
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
