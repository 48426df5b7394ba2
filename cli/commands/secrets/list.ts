import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared, wholeNumber } from "../../definition.ts";
import { connectChosen } from "../../server/connect.ts";
import { note, printJson, type Io } from "../../terminal/io.ts";

const STATES = ["active", "revealed", "revoked", "expired", "locked"] as const;

export function listCommand(io: Io) {
  return defineCommand("list", {
    summary: "List the secrets that you sent while logged in",
    description:
      "Newest first: id, status, when it was created, and when it ends or ended. Never a link or a text.",
    examples: ["hushkit list", "hushkit list --status active --json"],
  })
    .addOption(new Option("--status <status>", "only those in this state").choices(STATES))
    .addOption(
      new Option("--limit <n>", "how many at most")
        .argParser(wholeNumber({ minimum: 1, maximum: 100 }))
        .default(50),
    )
    .addOption(new Option("--cursor <cursor>", "go on where an earlier answer ended, with its `next`"))
    .addOption(shared.json())
    .action(async ({ json, ...page }) => {
      const listed = await (await connectChosen(io)).secrets.list.query(page);
      if (json) return printJson(io, listed);
      for (const { id, status, created, expiry, closed } of listed.secrets) {
        await io.stdout.write(`${id}  ${status.padEnd(8)}  ${created}  ${closed ?? expiry}\n`);
      }
      if (listed.secrets.length === 0) await note(io, "There are none.");
      if (listed.next !== null) await note(io, `There are more: --cursor ${listed.next}`);
    });
}
