import { Option } from "@commander-js/extra-typings";
import type { Client } from "../../../client/client.ts";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { CliError, usageError } from "../../exit.ts";
import { isFolder } from "../../files/folder.ts";
import { checkInputs, STANDARD } from "../../files/input.ts";
import { readBundleContent } from "../../secrets/bundle-content.ts";
import { readSecretContent, tellLineEnd, type Content } from "../../secrets/content.ts";
import { askLimit, checkSize, sendContent } from "../../secrets/send-content.ts";
import { chosenServer, connect } from "../../server/connect.ts";
import { note, print, printJson, type Io } from "../../terminal/io.ts";
import { readPassword } from "../../terminal/passwords.ts";
import { describeFailure } from "../../failure.ts";

const MAX_COPIES = 100;

export function sendCommand(io: Io) {
  return defineCommand("send", {
    summary: "Share a text or files once and print the link",
    description:
      "Encrypts it end to end on this machine, stores it on the server and prints the link that opens it once. The " +
      "server cannot read it. Without --expires it lives as long as the server says, mostly a day. FILE is sent as a " +
      "file with its name; without FILE the text comes from standard input. Several files, the files of a folder and a " +
      "message beside them go into one link, up to 20 files. With --copies there is a link for each person.",
    examples: [
      "hushkit send -x 1h < notes.txt",
      "hushkit send report.pdf -p",
      "hushkit send contract.pdf photos/ -m message.txt",
      "hushkit send wifi.txt --copies 5 --csv > links.csv",
      "pass show db | hushkit send --trim --json",
      'printf %s "$TOKEN" | hushkit send -x 1h',
    ],
  })
    .argument("[files...]", 'files or folders; "-" is standard input')
    .option("-m, --message <file>", 'a text beside the files, from this file; "-" is standard input')
    .addOption(shared.trim())
    .addOption(shared.expires())
    .option("-p, --ask-passphrase", "ask for a passphrase that opens the link")
    .addOption(shared.passwordFd())
    .option(
      "--copies <n>",
      "this many secrets of the same content, with a link each",
      wholeNumberOf({ minimum: 1, maximum: MAX_COPIES }),
    )
    .addOption(
      new Option("--csv", "print CSV: number, link, and what `hushkit revoke` takes").conflicts("json"),
    )
    .addOption(shared.noNotify())
    .addOption(shared.json())
    .action(async (files, options) => {
      const { message, trim, expires, askPassphrase, passwordFd, notify, json, copies, csv } = options;
      checkInputs(message === undefined ? files : [...files, message]);
      const server = await chosenServer(io);
      const client = await connect(io, server);
      const content = await readContent(io, files, { message, trim, client });
      const hasPassphrase = askPassphrase || passwordFd !== undefined;
      const passphrase = hasPassphrase
        ? await readPassword(io, { question: "Passphrase", passwordFd, isNew: true })
        : undefined;
      const send = () => sendContent(content, { io, server, client, expires, passphrase, notify });
      if (copies !== undefined || csv) {
        await sendCopies(io, { copies: copies ?? 1, csv, json, send });
        return tellLineEnd(io, content);
      }
      const made = await send();
      await tellLineEnd(io, content);
      if (json) return printJson(io, made);
      await print(io, `${made.url}\n`);
      await note(
        io,
        `It opens once, until ${made.expiry}.\nTo take it back: hushkit revoke ${made.id}.${made.revokeToken}`,
      );
    });
}

async function readContent(
  io: Io,
  files: readonly string[],
  { message, trim, client }: { message: string | undefined; trim: true | undefined; client: Client },
): Promise<Content> {
  const [first, ...more] = files;
  if (message !== undefined && first === undefined)
    throw usageError("-m, --message goes beside files; a text alone comes from standard input.");
  const isOne = message === undefined && more.length === 0;
  if (isOne && (first === undefined || first === STANDARD || !isFolder(io, first)))
    return readSecretContent(io, first, {
      askLimit: async () => (await askLimit(client, "secretLength")) ?? 0,
      trim,
    });
  return readBundleContent(io, files, { message, trim, checkSize: (size) => checkSize(client, size) });
}

type MadeSecret = Awaited<ReturnType<typeof sendContent>>;

/** Makes one secret of the same content for each person, and prints each link as soon as it is made. */
async function sendCopies(
  io: Io,
  of: { copies: number; csv: true | undefined; json: true | undefined; send: () => Promise<MadeSecret> },
): Promise<void> {
  const { copies, csv, json, send } = of;
  const made: MadeSecret[] = [];
  if (csv) await print(io, "number,link,revoke\n");
  try {
    while (made.length < copies) {
      const secret = await send();
      made.push(secret);
      // None of these values contains a comma, a quote or a line break.
      const { url, id, revokeToken } = secret;
      if (csv) await print(io, `${made.length},${url},${id}.${revokeToken}\n`);
      else if (!json) await print(io, `${url}\n`);
    }
  } catch (error) {
    if (made.length === 0) throw error;
    const { exitCode, message } = describeFailure(error);
    const told = `Only ${made.length} of ${copies} links were made; what was printed is good. ${message}`;
    throw new CliError(exitCode, told);
  } finally {
    if (json) await printJson(io, made);
  }
  await note(io, `Each opens once, until ${made[0]?.expiry}, and has a status of its own.`);
}
