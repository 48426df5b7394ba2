import { STANDARD, decodeText, readInput } from "../files/input.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import type { Server } from "./connect.ts";
import { chosenServer, linkedServer } from "./connect.ts";

/** A link to a secret: its server and id, the server's key, and the inner key that no server ever sees. */
export interface SecretLink {
  readonly server: string;
  readonly id: string;
  readonly key: string;
  readonly inner: string | undefined;
}

export const INNER_LENGTH = 43;

// Mail gateways may turn the # into %23, and chats may add a space or a line break at the end.
const LINK =
  /^(.*)\/s\/([0-9A-Za-z]{16})(?:\?[^#]*)?(?:#|%23)([0-9A-Za-z]{22})(?:(?:\.|%2e)([0-9A-Za-z]{43}))?$/i;
const ID_AND_TOKEN = /^([0-9A-Za-z]{16})(?:\.([0-9A-Za-z]{32}))?$/;

/** @throws CliError usage for a link that is cut or none; nothing was sent then, and nothing is consumed */
export function parseLink(text: string): SecretLink {
  const [, server, id, key, inner] = LINK.exec(text.trim()) ?? [];
  if (server !== undefined && id !== undefined && key !== undefined) return { server, id, key, inner };
  throw new CliError(
    EXIT.usage,
    "This is not a whole link: it is like https://HOST/s/ID#KEY, to its last character. In a shell, put it in quotes.",
  );
}

/** A link that was given, or that standard input holds where it is "-": arguments can be seen by others. */
export async function takeLink(io: Io, operand: string): Promise<string> {
  if (operand !== STANDARD) return operand;
  return (decodeText(await readInput(io, STANDARD)) ?? "").trim();
}

/** A secret as its sender or receiver names it, and by what they may ask for it. */
export interface NamedSecret {
  readonly id: string;
  readonly key?: string;
  readonly revokeToken?: string;
}

/** Reads a link, `ID.TOKEN` as `hushkit send` shows it, or the id of a secret of one's own. */
export async function namedSecret(io: Io, operand: string): Promise<{ server: Server; secret: NamedSecret }> {
  const text = await takeLink(io, operand);
  const [, id, revokeToken] = ID_AND_TOKEN.exec(text.trim()) ?? [];
  if (id !== undefined) {
    return {
      server: await chosenServer(io),
      secret: { id, ...(revokeToken !== undefined && { revokeToken }) },
    };
  }
  const link = parseLink(text);
  return { server: await linkedServer(io, link), secret: { id: link.id, key: link.key } };
}
