import type { Client, ClientOptions } from "../../client/client.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { readCliConfig } from "./config.ts";

/** A server, and the token for it. */
export interface ServerAddress {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
}

/** The server that HUSHKIT_URL or the login names. @throws CliError usage where neither does, or for a broken token */
export async function chosenServer(io: Io): Promise<ServerAddress> {
  const { url, token } = await namedServer(io);
  return { url, token: checkToken(token) };
}

/** The server that HUSHKIT_URL or the login names, for callers that need only the address. Its token may be broken. */
export async function namedServer(io: Io): Promise<ServerAddress> {
  const config = await readCliConfig(io);
  const given = io.env.HUSHKIT_URL || config.url;
  if (!given) {
    throw usageError("Which server? Set HUSHKIT_URL, or log in to one with `hushkit login URL`.");
  }
  const url = checkUrl(given);
  // A token is for the server that made it and for no other.
  const isOwn = config.url !== undefined && checkUrl(config.url) === url;
  return { url, token: io.env.HUSHKIT_TOKEN || (isOwn ? config.token : undefined) };
}

/** The server of a link, with the token only where the token belongs to that server. */
export async function linkedServer(io: Io, link: { server: string }): Promise<ServerAddress> {
  const url = checkUrl(link.server);
  const chosen = await namedServer(io).catch(() => undefined);
  return { url, token: chosen?.url === url ? checkToken(chosen.token) : undefined };
}

/** Without the line end of a file that it was read from. @throws CliError usage for what no header can carry */
function checkToken(token: string | undefined): string | undefined {
  const text = token?.trim();
  if (text === undefined || /^[!-~]+$/.test(text)) return text;
  const message =
    "The API token of HUSHKIT_TOKEN or of the login is not a token, which is one word of letters, digits and underscores. Nothing was sent.";
  throw usageError(message);
}

/** @throws CliError usage for an invalid server address */
export function checkUrl(text: string): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isWeb) {
    throw usageError("The address of a server looks like https://hush.example; see HUSHKIT_URL.");
  }
  if (url.username || url.password) {
    throw usageError("The address of a server holds no name and password; use `hushkit login`.");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** The typed client; loaded only here, because tools that run on this machine do not need it. */
export async function connect(
  { fetch }: Pick<Io, "fetch">,
  { url, token }: ServerAddress,
  { headers }: Pick<ClientOptions, "headers"> = {},
): Promise<Client> {
  const { createClient } = await import("../../client/client.ts");
  const { knownAnswersLink } = await import("../../client/answers/error-link.ts");
  const { isKnownAnswer } = await import("./known-answers.ts");
  return createClient(url, { token, headers, fetch, links: [knownAnswersLink(url, isKnownAnswer)] });
}

/** The typed client of the chosen server. */
export async function connectChosen(io: Io): Promise<Client> {
  return connect(io, await chosenServer(io));
}
