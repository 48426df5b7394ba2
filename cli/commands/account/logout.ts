import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared } from "../../definition.ts";
import { CliError, EXIT } from "../../exit.ts";
import { deleteConfig, readCliConfig, type CliConfig } from "../../server/config.ts";
import { revokeOwnToken, withSession, type LoginOptions } from "../../server/session.ts";
import { note, printJson, type Io } from "../../terminal/io.ts";

export function logoutCommand(io: Io) {
  return defineCommand("logout", {
    summary: "Forget the API token of this machine",
    description:
      "Deletes the configuration file. The token stays valid on the server until it is revoked: with --revoke, which " +
      "asks for name and password, or on the account page.",
    examples: ["hushkit logout", "hushkit logout --revoke"],
  })
    .addOption(new Option("--revoke", "revoke the token on the server too"))
    .addOption(shared.loginName())
    .addOption(shared.loginCode())
    .addOption(shared.passwordFd())
    .addOption(new Option("--json", "print the server that it was for, and whether it is revoked, as JSON"))
    .action(async ({ revoke = false, json, ...who }) => {
      const config = await readCliConfig(io);
      if (revoke) await revokeToken(io, { config, who });
      await deleteConfig(io);
      if (json) return printJson(io, { url: config.url ?? null, revoked: revoke });
      await note(
        io,
        revoke ? "Logged out; the token is revoked." : "Logged out; the token is valid until it is revoked.",
      );
    });
}

async function revokeToken(
  io: Io,
  { config, who }: { config: CliConfig; who: Omit<LoginOptions, "url"> },
): Promise<void> {
  const { url, token } = config;
  if (!url || !token)
    throw new CliError(EXIT.usage, "You are not logged in, so there is no token to revoke.");
  await withSession(io, {
    login: { url, ...who },
    work: (client) => revokeOwnToken(client, token),
  });
}
