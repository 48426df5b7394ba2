import { defineCommand, shared } from "../../definition.ts";
import { EXIT } from "../../exit.ts";
import { connect } from "../../server/connect.ts";
import { namedSecret } from "../../server/secret-link.ts";
import { printJson, type Io } from "../../terminal/io.ts";

export function statusCommand(io: Io) {
  return defineCommand("status", {
    summary: "Say what became of a secret, without reading it",
    description:
      "Asks by the link, by ID.TOKEN as `hushkit send` showed it, or by the id of a secret of your own. Ends with 3 " +
      "where the secret can no longer be opened.",
    examples: ["hushkit status 'https://hush.example/s/ID#KEY'", "hushkit status ID.TOKEN --json"],
  })
    .argument("<link-or-token>", 'the link in quotes, ID.TOKEN, or an id; "-" reads it from standard input')
    .addOption(shared.json())
    .action(async (operand, { json }) => {
      const { server, secret } = await namedSecret(io, operand);
      const answer = await (await connect(io, server)).secrets.status.mutate(secret);
      if (json) await printJson(io, answer);
      else if (answer.status === "active") await io.stdout.write(`active until ${answer.expiry}\n`);
      else await io.stdout.write(`${answer.status}${answer.closed === null ? "" : ` at ${answer.closed}`}\n`);
      if (answer.status !== "active") io.exitCode = EXIT.gone;
    });
}
