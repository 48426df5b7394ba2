import { Option } from "@commander-js/extra-typings";
import type { Client } from "../../../client/client.ts";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { usageError } from "../../exit.ts";
import { connectChosen } from "../../server/connect.ts";
import { note, print, printJson, type Io } from "../../terminal/io.ts";

const SECRET_STATES = ["active", "revealed", "revoked", "expired", "locked"] as const;
const REQUEST_STATES = ["open", "answered", "collected", "cancelled", "expired"] as const;
const STATES = [...new Set([...SECRET_STATES, ...REQUEST_STATES])];

export function listCommand(io: Io) {
  return defineCommand("list", {
    summary: "List the secrets that you sent, or asked for, while logged in",
    description:
      "Newest first: id, status, when it was created, and when it ends or ended. Never a link or a text.",
    examples: ["hushkit list", "hushkit list --status active --json", "hushkit list --requests"],
  })
    .option("--requests", "your requests for secrets instead of your secrets")
    .addOption(new Option("--status <status>", "only those in this state").choices(STATES))
    .option("--limit <n>", "how many at most", wholeNumberOf({ minimum: 1, maximum: 100 }), 50)
    .option("--cursor <cursor>", "go on where an earlier answer ended, with its `next`")
    .addOption(shared.json())
    .action(async ({ json, requests, ...page }) => {
      const client = await connectChosen(io);
      const listed = await (requests ? listRequests : listSecrets)(client, page);
      if (json) return printJson(io, listed);
      const rows = "secrets" in listed ? listed.secrets : listed.requests;
      for (const { id, status, created, expiry, closed } of rows) {
        await print(io, `${id}  ${status.padEnd(9)}  ${created}  ${closed ?? expiry}\n`);
      }
      if (rows.length === 0) await note(io, "There are none.");
      if (listed.next !== null) await note(io, `There are more: --cursor ${listed.next}`);
    });
}

interface Page {
  readonly status?: (typeof STATES)[number];
  readonly limit: number;
  readonly cursor?: string;
}

function listSecrets({ secrets }: Client, { status, ...page }: Page) {
  return secrets.list.query({ ...page, ...statusOf(status, SECRET_STATES) });
}

function listRequests({ requests }: Client, { status, ...page }: Page) {
  return requests.list.query({ ...page, ...statusOf(status, REQUEST_STATES) });
}

/** @throws CliError usage for a status that only the other kind has */
function statusOf<State extends string>(status: string | undefined, states: readonly State[]) {
  if (status === undefined) return {};
  const known = states.find((state) => state === status);
  if (known !== undefined) return { status: known };
  throw usageError(`--status is one of ${states.join(", ")} here.`);
}
