import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared } from "../../definition.ts";
import { CliError, EXIT } from "../../exit.ts";
import { handOutText, takeOnce } from "../../secrets/hand-out.ts";
import { connect, linkedServer } from "../../server/connect.ts";
import { readCollectLink, takeLink } from "../../server/links.ts";
import { note, print, printJson, type Io } from "../../terminal/io.ts";

export function collectCommand(io: Io) {
  return defineCommand("collect", {
    summary: "Read an answer to a request, which deletes it",
    description:
      "Takes the link that `hushkit ask` printed last. Of several answers it is the oldest; --all reads each that is " +
      "there, with a line end behind it. A file as an answer is a link, which `hushkit open` opens. " +
      "Ends with 3 where nobody has answered yet, or the request is over; `hushkit status` tells which.",
    examples: [
      "hushkit collect 'https://hush.example/r/ID/collect#TOKEN.KEY'",
      "hushkit collect - -o token.txt < link.txt",
      "hushkit collect 'https://hush.example/r/ID/collect#TOKEN.KEY' --all --json",
    ],
  })
    .argument("<link>", 'the link, in quotes; "-" reads it from standard input')
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.json())
    .addOption(shared.ticket())
    .addOption(
      new Option("--all", "read every answer that is there; as JSON a line each").conflicts([
        "output",
        "ticket",
      ]),
    )
    .action(async (operand, { json, ticket: given, all, ...to }) => {
      const { id, collectToken, privateKey: written, ...link } = readCollectLink(await takeLink(io, operand));
      const { openAnswer, readLinkKey } = await import("../../../tools/crypto/request-seal.ts");
      const privateKey = readLinkKey(written);
      const client = await connect(io, await linkedServer(io, link));
      const takeNext = (ticket?: string) =>
        takeOnce({
          io,
          ticket,
          command: "hushkit collect",
          take: async (ticketNow) => {
            const got = await handOutText(io, { ...to, json }, async () => {
              const { content, left } = await client.requests.collect.mutate({
                id,
                collectToken,
                ticket: ticketNow,
              });
              // The answer is used up by now: if it does not open, it is written as it came, so that it is not lost.
              const opened = await openAnswer(content, { privateKey, requestId: id }).catch(() => undefined);
              return { text: opened ?? content, isOpened: opened !== undefined, left };
            });
            if (json) await printJson(io, { id, content: got.text, left: got.left });
            else if (all && !got.text.endsWith("\n")) await print(io, "\n");
            return got;
          },
          confirm: (ticketNow) => client.requests.received.mutate({ id, collectToken, ticket: ticketNow }),
        });
      let got = await takeNext(given);
      let isOpened = got.isOpened;
      while (all && got.left > 0) {
        got = await takeNext();
        isOpened &&= got.isOpened;
      }
      if (!all && got.left > 0)
        await note(io, `${got.left} more ${got.left === 1 ? "answer waits" : "answers wait"}.`);
      if (!isOpened)
        throw new CliError(
          EXIT.password,
          "The answer was written out encrypted as it is: the last part of the link is wrong, or it was encrypted for another key.",
        );
    });
}
