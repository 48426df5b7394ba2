import { Option } from "@commander-js/extra-typings";
import type { Client } from "../../../client/client.ts";
import { defineCommand, shared } from "../../definition.ts";
import { CliError, EXIT } from "../../exit.ts";
import { decodeText, nameOf, readInput, STANDARD } from "../../files/input.ts";
import { connectChosen } from "../../server/connect.ts";
import { INNER_LENGTH } from "../../server/secret-link.ts";
import { note, printJson, type Io } from "../../terminal/io.ts";
import { readPassword } from "../../terminal/passwords.ts";

const DEFAULT_SECONDS = 86_400;
/** What callers without an account may send; whoever may send more is asked about at the server. */
const SURE_CHARACTERS = 50_000;

export function sendCommand(io: Io) {
  return defineCommand("send", {
    summary: "Hand over a text once and print its link",
    description:
      "Seals a text end to end on this machine, stores it on the server and prints the link that opens it once. " +
      "The server cannot read it. Without FILE the text comes from standard input.",
    examples: [
      "hushkit send -x 1h < notes.txt",
      "hushkit send deploy.key -p",
      "pass show db | hushkit send --json",
    ],
  })
    .argument("[file]", 'a file of UTF-8 text; "-" is standard input')
    .addOption(shared.expires().default(DEFAULT_SECONDS, "1d"))
    .addOption(new Option("-p, --ask-passphrase", "ask for a passphrase that opens the link"))
    .addOption(shared.passwordFd())
    .addOption(shared.json())
    .action(async (file = STANDARD, options) => {
      const text = await takeText(io, file);
      const client = await connectChosen(io);
      await checkLength(client, text);
      const passphrase = await takePassphrase(io, options);
      const made = await sendText(client, { text, expires: options.expires, passphrase });
      if (options.json) return printJson(io, made);
      await io.stdout.write(`${made.url}\n`);
      await note(
        io,
        `It opens once, until ${made.expiry}.\nTo take it back: hushkit revoke ${made.id}.${made.revokeToken}`,
      );
    });
}

async function takeText(io: Io, file: string): Promise<string> {
  const isTyped = file === STANDARD && io.stdin.isTerminal;
  if (isTyped) await note(io, "Type the text; Ctrl-D on a line of its own ends it.");
  const text = decodeText(await readInput(io, file));
  if (text === undefined) throw noFileSecrets(file);
  // The line end before Ctrl-D was not meant; in a file or a pipe every byte counts.
  const meant = isTyped ? text.replace(/\n$/, "") : text;
  if (meant === "") throw new CliError(EXIT.usage, `${nameOf(file)}: there is no text in it.`);
  return meant;
}

function noFileSecrets(file: string): CliError {
  const message =
    `${nameOf(file)}: this is no UTF-8 text, and this server takes no file secrets yet. ` +
    "Encrypt it with `hushkit lock` and send the password.";
  return new CliError(EXIT.usage, message);
}

// The server sees a sealed text only, whose length tells it little.
async function checkLength(client: Client, text: string): Promise<void> {
  if (text.length <= SURE_CHARACTERS) return;
  let length = 0;
  for (const _ of text) length++;
  if (length <= SURE_CHARACTERS) return;
  const value = await askLimit(client);
  if (length <= value) return;
  const message =
    `The text has ${length} characters; this server takes up to ${value} from you, and no file secrets yet. ` +
    "Encrypt it with `hushkit lock` and send the password.";
  throw new CliError(EXIT.limit, message);
}

/** What this caller may send now, in characters. */
async function askLimit(client: Client): Promise<number> {
  const { limits } = await client.tools.catalogue.query({});
  const limit: unknown = limits.secretLength;
  const hasValue = typeof limit === "object" && limit !== null && "value" in limit;
  return hasValue && typeof limit.value === "number" ? limit.value : SURE_CHARACTERS;
}

async function takePassphrase(
  io: Io,
  { askPassphrase, passwordFd }: { askPassphrase?: true | undefined; passwordFd?: number | undefined },
): Promise<string | undefined> {
  if (!askPassphrase && passwordFd === undefined) return undefined;
  return readPassword(io, { question: "Passphrase", passwordFd, isNew: true });
}

interface Sending {
  readonly text: string;
  readonly expires: number;
  readonly passphrase: string | undefined;
}

async function sendText(client: Client, { text, expires, passphrase }: Sending) {
  const { randomBase62 } = await import("../../../tools/crypto/base62.ts");
  const { deriveEndToEnd, sealText } = await import("../../../tools/crypto/text-seal.ts");
  const inner = randomBase62(INNER_LENGTH);
  const { contentKey, gate } = await deriveEndToEnd(inner, { passphrase });
  const content = await sealText(text, { contentKey });
  const about = { expires, isEncrypted: true, ...(gate !== null && { passphrase: gate }) };
  const made = await client.secrets.create.mutate({ content, ...about });
  return { ...made, url: `${made.url}.${inner}` };
}
