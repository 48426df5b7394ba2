import { Option } from "@commander-js/extra-typings";
import { DEFAULT_SECRET_SECONDS } from "../../../wire/limits.ts";
import { defineCommand, shared } from "../../definition.ts";
import { readSecretContent } from "../../secrets/content.ts";
import { askLimit, sendContent } from "../../secrets/send-content.ts";
import { chosenServer, connect } from "../../server/connect.ts";
import { note, printJson, type Io } from "../../terminal/io.ts";
import { readPassword } from "../../terminal/passwords.ts";

export function sendCommand(io: Io) {
  return defineCommand("send", {
    summary: "Hand over a text or a file once and print its link",
    description:
      "Seals it end to end on this machine, stores it on the server and prints the link that opens it once. The " +
      "server cannot read it. FILE is sent as a file with its name; without FILE the text comes from standard input.",
    examples: [
      "hushkit send -x 1h < notes.txt",
      "hushkit send report.pdf -p",
      "pass show db | hushkit send --json",
    ],
  })
    .argument("[file]", 'a file; "-" is standard input')
    .addOption(shared.expires().default(DEFAULT_SECRET_SECONDS, "1d"))
    .addOption(new Option("-p, --ask-passphrase", "ask for a passphrase that opens the link"))
    .addOption(shared.passwordFd())
    .addOption(shared.json())
    .action(async (file, { expires, json, ...options }) => {
      const server = await chosenServer(io);
      const client = await connect(io, server);
      const content = await readSecretContent(io, file, {
        askLimit: async () => (await askLimit(client, "secretLength")) ?? 0,
      });
      const passphrase = await takePassphrase(io, options);
      const made = await sendContent(content, { io, server, client, expires, passphrase });
      if (json) return printJson(io, made);
      await io.stdout.write(`${made.url}\n`);
      await note(
        io,
        `It opens once, until ${made.expiry}.\nTo take it back: hushkit revoke ${made.id}.${made.revokeToken}`,
      );
    });
}

async function takePassphrase(
  io: Io,
  { askPassphrase, passwordFd }: { askPassphrase?: true | undefined; passwordFd?: number | undefined },
): Promise<string | undefined> {
  if (!askPassphrase && passwordFd === undefined) return undefined;
  return readPassword(io, { question: "Passphrase", passwordFd, isNew: true });
}
