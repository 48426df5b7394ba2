import type { Client } from "../../client/client.ts";
import { CliError, EXIT, usageError } from "../exit.ts";
import { warn, type Io } from "../terminal/io.ts";
import { readPassword } from "../terminal/passwords.ts";
import { chosenServer, connect } from "./connect.ts";

export interface LoginOptions {
  /** The chosen server where it is absent. */
  readonly url?: string;
  readonly name?: string | undefined;
  readonly passwordFd?: number | undefined;
  /** A code of an authenticator app; asked for where the account has one. */
  readonly code?: string | undefined;
}

/**
 * Logs in while the work lasts, because API tokens cannot manage tokens. The session ends with the work, also when that
 * fails.
 */
export async function withSession<Result>(
  io: Io,
  login: LoginOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { url = (await chosenServer(io)).url, passwordFd } = login;
  const name = login.name ?? (await askName(io));
  const password = await readPassword(io, { question: "Password", passwordFd });
  const cookies = keepCookies(io.fetch);
  const client = await connect(cookies, { url, token: undefined }, cookies);
  await logIn(io, client, { name, password, code: login.code });
  try {
    return await work(client);
  } finally {
    // What the work made may be shown only once, and must not be lost with this answer.
    await client.account.logout
      .mutate({})
      .catch(() => warn(io, ["the session of this login could not be ended, and ends by itself"]));
  }
}

/** Logs in, and asks for the code of the authenticator app where the account has one. */
async function logIn(
  io: Io,
  client: Client,
  { name, password, code }: { name: string; password: string; code: string | undefined },
): Promise<void> {
  const who = { name, password, code };
  const made = await client.account.login.mutate(who).catch(async (error: unknown) => {
    const { failureOf } = await import("../../client/client.ts");
    const isMissing = code === undefined && failureOf(error)?.code === "second_factor_required";
    if (!isMissing) throw error;
    if (!io.ask)
      throw new CliError(EXIT.password, "This account has an authenticator app: give its code with --code.");
    const asked = await io.ask("Code of your authenticator app: ", { isHidden: false });
    return client.account.login.mutate({ name, password, code: asked });
  });
  if (made.recoveryCode !== undefined)
    await warn(io, [`the recovery code is used up; keep the next one: ${made.recoveryCode}`]);
}

/** The first characters of a token, by which the server lists it. */
const PREFIX_LENGTH = 20;

/** Revokes a token whose value is known, where it belongs to the account. */
export async function revokeOwnToken({ tokens }: Client, token: string): Promise<void> {
  const listed = await tokens.list.query({});
  const own = listed.tokens.find(({ prefix }) => prefix === token.slice(0, PREFIX_LENGTH));
  if (own) await tokens.revoke.mutate({ id: own.id });
}

async function askName(io: Io): Promise<string> {
  if (io.ask) return io.ask("Name: ", { isHidden: false });
  throw usageError("Whose account? Without a terminal, give its name with --name NAME.");
}

/** Does what a browser does with the session's cookie, and marks requests as not coming from another site. */
function keepCookies(fetch: Io["fetch"]): Pick<Io, "fetch"> & { headers: () => Record<string, string> } {
  const cookies = new Map<string, string>();
  return {
    headers: () => ({
      "sec-fetch-site": "none",
      ...(cookies.size > 0 && {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      }),
    }),
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      for (const set of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(set) ?? [];
        if (value === "") cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
  };
}
