import { hostname } from "node:os";
import { MAX_TOKEN_NAME_LENGTH } from "../../../wire/limits.ts";
import { defineCommand, withLogin } from "../../definition.ts";
import { readCliConfig, startConfig, configPath, deleteConfig, type CliConfig } from "../../server/config.ts";
import { checkUrl, chosenServer } from "../../server/connect.ts";
import { revokeOwnToken, withSession, type LoginOptions } from "../../server/session.ts";
import { note, printJson, type Io } from "../../terminal/io.ts";
import { Option } from "@commander-js/extra-typings";
import { usageError } from "../../exit.ts";

export function loginCommand(io: Io) {
  return withLogin(
    defineCommand("login", {
      summary: "Log in, and keep an API token for this machine",
      description:
        "Asks for name and password, makes an API token named after this machine, and keeps the address of the server " +
        "and the token in the configuration file, which only you can read. The password is not kept. A token of an " +
        "earlier login is revoked.",
      examples: [
        "hushkit login https://hush.example",
        "hushkit login --name ann --password-fd 3 3< password.txt",
      ],
    }).argument("[url]", "address of the server; HUSHKIT_URL or that of the last login where it is missing"),
  ).action(async (given, { json, ...who }) => {
    const old = await readCliConfig(io);
    const url = given === undefined ? (await chosenServer(io)).url : checkUrl(given);
    const name =
      hostname()
        .replace(/[^\p{L}\p{N}._-]/gu, "")
        .slice(0, MAX_TOKEN_NAME_LENGTH) || "hushkit";
    const config = await startConfig(io);
    const logIn = withSession(io, { url, ...who }, async (client) => {
      const { token, ...made } = await client.tokens.create.mutate({ name });
      await config.save({ url, token });
      // The token that this one replaces is stored nowhere else.
      if (old.token !== undefined && old.url === url) await revokeOwnToken(client, old.token);
      return made;
    });
    const about = await logIn.finally(config.drop);
    if (json) return printJson(io, about);
    await note(io, `Logged in to ${url}; the token "${name}" is in ${configPath(io)}.`);
  });
}

export function logoutCommand(io: Io) {
  return withLogin(
    defineCommand("logout", {
      summary: "Forget the API token of this machine",
      description:
        "Deletes the configuration file. The token stays valid on the server until it is revoked: with --revoke, which " +
        "asks for name and password, or on the account page.",
      examples: ["hushkit logout", "hushkit logout --revoke"],
    }).option("--revoke", "revoke the token on the server too"),
    new Option("--json", "print the server that it was for, and whether it is revoked, as JSON"),
  ).action(async ({ revoke = false, json, ...who }) => {
    const config = await readCliConfig(io);
    if (revoke) await revokeToken(io, config, who);
    await deleteConfig(io);
    if (json) return printJson(io, { url: config.url ?? null, revoked: revoke });
    await note(
      io,
      revoke ? "Logged out; the token is revoked." : "Logged out; the token is valid until it is revoked.",
    );
  });
}

async function revokeToken(io: Io, config: CliConfig, who: Omit<LoginOptions, "url">): Promise<void> {
  const { url, token } = config;
  if (!url || !token) throw usageError("You are not logged in, so there is no token to revoke.");
  await withSession(io, { url, ...who }, (client) => revokeOwnToken(client, token));
}
