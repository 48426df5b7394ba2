import type { Client } from "../../../client/client.ts";
import { defineCommand, shared } from "../../definition.ts";
import { EXIT, CliError } from "../../exit.ts";
import { formatStatus, askStatus } from "../../secrets/format-status.ts";
import { connect } from "../../server/connect.ts";
import { readNamed, type Reference } from "../../server/links.ts";
import { print, printJson, type Io } from "../../terminal/io.ts";

/** The states of what can still be opened, answered or collected. */
const USABLE: readonly string[] = ["active", "open", "answered"];

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
      if (!USABLE.includes(answer.status)) io.exitCode = EXIT.gone;
    });
}

async function readStatus(client: Client, named: Reference) {
  if (named.is !== "secret") return askStatus(client, named);
  const { is: _, ...secret } = named;
  return client.secrets.status.mutate(secret);
}

export function revokeCommand(io: Io) {
  return defineCommand("revoke", {
    summary: "Take a secret back before it is read, or cancel a request",
    description:
      "Takes ID.TOKEN as `hushkit send` showed it, the link that the asker of a request keeps, or, where you are " +
      "logged in, the link of a secret or request of your own, or the id of a secret.",
    examples: ["hushkit revoke ID.TOKEN", "hushkit revoke 'https://hush.example/r/ID/collect#TOKEN.KEY'"],
  })
    .argument("<link-or-token>", 'ID.TOKEN, the link in quotes, or an id; "-" reads it from standard input')
    .addOption(shared.json())
    .action(async (operand, { json }) => {
      const { server, named } = await readNamed(io, operand);
      const mayRevoke = named.is === "collect" || (named.is === "secret" && named.revokeToken !== undefined);
      if (server.token === undefined && !mayRevoke) throw notAllowed(named);
      const answer = await revoke(await connect(io, server), named);
      if (json) await printJson(io, answer);
      else await print(io, `${answer.status}${answer.closed === null ? "" : ` at ${answer.closed}`}\n`);
    });
}

async function revoke({ secrets, requests }: Client, named: Reference) {
  if (named.is === "collect") {
    const { id, collectToken } = named.link;
    return requests.cancel.mutate({ id, collectToken });
  }
  if (named.is === "answer") return requests.cancelOwn.mutate({ id: named.link.id });
  const { id, revokeToken } = named;
  return revokeToken === undefined
    ? secrets.revokeOwn.mutate({ id })
    : secrets.revoke.mutate({ id, revokeToken });
}

function notAllowed({ is }: Reference): CliError {
  const message =
    is === "secret"
      ? "A link opens a secret and does not revoke it: give ID.TOKEN, as `hushkit send` showed it, or log in as its sender."
      : "This link answers a request and does not cancel it: give the one that its asker keeps, or log in as its asker.";
  return new CliError(EXIT.password, message);
}
