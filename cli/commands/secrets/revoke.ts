import type { Client } from "../../../client/client.ts";
import { defineCommand, shared } from "../../definition.ts";
import { CliError, EXIT } from "../../exit.ts";
import { connect } from "../../server/connect.ts";
import { namedSecret, type NamedSecret } from "../../server/secret-link.ts";
import { printJson, type Io } from "../../terminal/io.ts";

export function revokeCommand(io: Io) {
  return defineCommand("revoke", {
    summary: "Take a secret back before it is read",
    description:
      "Takes ID.TOKEN as `hushkit send` showed it, or, where you are logged in, the link or id of a secret of your own.",
    examples: ["hushkit revoke ID.TOKEN", "hushkit revoke 'https://hush.example/s/ID#KEY'"],
  })
    .argument("<link-or-token>", 'ID.TOKEN, the link in quotes, or an id; "-" reads it from standard input')
    .addOption(shared.json())
    .action(async (operand, { json }) => {
      const { server, secret } = await namedSecret(io, operand);
      if (secret.revokeToken === undefined && server.token === undefined) throw notAllowed();
      const answer = await revoke(await connect(io, server), secret);
      if (json) await printJson(io, answer);
      else await io.stdout.write(`${answer.status}${answer.closed === null ? "" : ` at ${answer.closed}`}\n`);
    });
}

async function revoke(client: Client, { id, revokeToken }: NamedSecret) {
  if (revokeToken === undefined) return client.secrets.revokeOwn.mutate({ id });
  return client.secrets.revoke.mutate({ id, revokeToken });
}

function notAllowed(): CliError {
  return new CliError(
    EXIT.password,
    "A link opens a secret and does not revoke it: give ID.TOKEN, as `hushkit send` showed it, or log in as its sender.",
  );
}
