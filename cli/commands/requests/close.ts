import { defineCommand, shared } from "../../definition.ts";
import { connect, linkedServer } from "../../server/connect.ts";
import { readCollectLink, takeLink } from "../../server/links.ts";
import { formatStatus } from "../../secrets/format-status.ts";
import { print, printJson, type Io } from "../../terminal/io.ts";

export function closeCommand(io: Io) {
  return defineCommand("close", {
    summary: "Take no more answers to a request",
    description:
      "Takes the link that `hushkit ask` printed last. Answers that are there can still be collected; without any, the " +
      "request is cancelled. `hushkit revoke` cancels it in any case, and deletes them.",
    examples: ["hushkit close 'https://hush.example/r/ID/collect#TOKEN.KEY'"],
  })
    .argument("<link>", 'the link, in quotes; "-" reads it from standard input')
    .addOption(shared.json())
    .action(async (operand, { json }) => {
      const { id, collectToken, ...link } = readCollectLink(await takeLink(io, operand));
      const client = await connect(io, await linkedServer(io, link));
      const closed = await client.requests.close.mutate({ id, collectToken });
      if (json) await printJson(io, closed);
      else await print(io, `${formatStatus(closed)}\n`);
    });
}
