import type { Client } from "../../../client/client.ts";
import { defineCommand, shared } from "../../definition.ts";
import { EXIT } from "../../exit.ts";
import { formatStatus, askStatus } from "../../secrets/format-status.ts";
import { connect } from "../../server/connect.ts";
import { readNamed, type Named } from "../../server/links.ts";
import { print, printJson, type Io } from "../../terminal/io.ts";

/** What can still be opened, answered or collected. */
const LIVING: readonly string[] = ["active", "open", "answered"];

export function statusCommand(io: Io) {
  return defineCommand("status", {
    summary: "Say what became of a secret or a request, without reading it",
    description:
      "Asks by the link, by ID.TOKEN as `hushkit send` showed it, or by the id of a secret of your own. Ends with 3 " +
      "where the secret can no longer be opened, or the request neither answered nor collected.",
    examples: ["hushkit status 'https://hush.example/s/ID#KEY'", "hushkit status ID.TOKEN --json"],
  })
    .argument("<link-or-token>", 'the link in quotes, ID.TOKEN, or an id; "-" reads it from standard input')
    .addOption(shared.json())
    .action(async (operand, { json }) => {
      const { server, named } = await readNamed(io, operand);
      const answer = await readStatus(await connect(io, server), named);
      if (json) await printJson(io, answer);
      else await print(io, `${formatStatus(answer)}\n`);
      if (!LIVING.includes(answer.status)) io.exitCode = EXIT.gone;
    });
}

async function readStatus(client: Client, named: Named) {
  if (named.is !== "secret") return askStatus(client, named);
  const { is: _, ...secret } = named;
  return client.secrets.status.mutate(secret);
}
