import { requestLinks } from "../../../wire/links/links.ts";
import { MAX_ANSWERS } from "../../../wire/limits.ts";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { connectChosen, connect, linkedServer } from "../../server/connect.ts";
import { note, print, printJson, type Io } from "../../terminal/io.ts";
import { readCollectLink, takeLink } from "../../server/links.ts";
import { formatStatus } from "../../secrets/format-status.ts";

export function askCommand(io: Io) {
  return defineCommand("ask", {
    summary: "Ask for a secret and print two links: one to give away, one to keep",
    description:
      "Anyone with the first link can answer once, and only the second one reads the answer: it is encrypted for a key " +
      "that no server sees. With --answers it takes that many, from anyone who has the link. The note says what is asked for; only those with the link can read it.",
    examples: [
      'hushkit ask --note "The password of the new database, please"',
      "hushkit ask -x 7d --json",
      "hushkit ask --answers 20 -x 7d",
    ],
  })
    .option("--note <text>", "what is asked for")
    .option(
      "--answers <n>",
      "how many answers it takes, 1 where it is absent",
      wholeNumberOf({ minimum: 1, maximum: MAX_ANSWERS }),
    )
    .addOption(shared.expires())
    .addOption(shared.noNotify())
    .addOption(shared.json())
    .action(async ({ note: asked, answers, expires, notify, json }) => {
      const client = await connectChosen(io);
      const { deriveRequestGate, makeAskerKeys, sealNote, writeLinkKey } =
        await import("../../../tools/crypto/request-seal.ts");
      const { publicKey, privateKey } = await makeAskerKeys();
      const made = await client.requests.create.mutate({
        gate: deriveRequestGate(publicKey),
        expires,
        answers,
        ...(!notify && { notify }),
        ...(asked && { note: await sealNote(asked, publicKey) }),
      });
      const { url, collectToken } = made;
      const keys = { publicKey: writeLinkKey(publicKey), privateKey: writeLinkKey(privateKey) };
      const links = requestLinks({ url, collectToken, ...keys });
      if (json) return printJson(io, { ...made, url: links.answer, collectUrl: links.collect });
      await note(io, "Give away the first link, and keep the second one:");
      await print(io, `${links.answer}\n${links.collect}\n`);
      const times = answers === undefined || answers === 1 ? "once" : `${answers} times`;
      await note(
        io,
        `It can be answered ${times}, until ${made.expiry}. Then: hushkit collect 'THE SECOND LINK'`,
      );
    });
}

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
