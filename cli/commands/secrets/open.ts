import { basename } from "node:path";
import type { Client } from "../../../client/client.ts";
import type { SecretLink } from "../../../wire/links/links.ts";
import { defineCommand, shared } from "../../definition.ts";
import { CliError, EXIT, usageError } from "../../exit.ts";
import { harmlessName } from "../../files/given-name.ts";
import { STANDARD } from "../../files/input.ts";
import { describeEnd } from "../../../wire/call-error.ts";
import { handOutText, printText, takeOnce } from "../../secrets/hand-out.ts";
import { openSecretFile, type SecretFileLink } from "../../secrets/open-file.ts";
import { connect, linkedServer } from "../../server/connect.ts";
import { readSecretLink, takeLink } from "../../server/links.ts";
import { noteSize, printJson, warn, type Io } from "../../terminal/io.ts";
import { readPassword } from "../../terminal/passwords.ts";

export function openCommand(io: Io) {
  return defineCommand("open", {
    summary: "Read a secret, which deletes it",
    description:
      "Reads what a link leads to, once: a text to standard output, a file to its name in this folder, or either to " +
      "the file of -o. Of several files in one link the message goes to standard output and the files to this folder or " +
      "to that of -o, which is made where it is missing. What is written only you can read. A file that came under the " +
      "name of a program gets .bin behind it. A passphrase is asked for where the secret has one; a wrong one does not use " +
      "the secret up.",
    examples: [
      "hushkit open 'https://hush.example/s/ID#KEY'",
      "hushkit open - -o deploy.key < link.txt",
      "hushkit open 'https://hush.example/s/ID#KEY' -o received/",
    ],
  })
    .argument("<link>", 'the link, in quotes; "-" reads it from standard input')
    .option("-o, --output <file>", 'a file or a folder to write to; "-" is standard output')
    .option("--zip", "leave several files in the ZIP that they came in, with the message")
    .addOption(shared.force())
    .addOption(shared.anyName())
    .addOption(shared.passwordFd())
    .addOption(shared.ticket())
    .addOption(shared.json())
    .action(async (operand, { passwordFd, ticket: given, ...options }) => {
      const link = readSecretLink(await takeLink(io, operand));
      const server = await linkedServer(io, link);
      const client = await connect(io, server);
      const { kind, isEncrypted, size, keys } = await prepare(io, {
        client,
        link,
        passwordFd,
        ticket: given,
      });
      const opening = { io, server, client, link, isEncrypted, size, keys, ...options };
      const is = await takeOnce({
        io,
        ticket: given,
        command: "hushkit open",
        take: (ticket) => (kind === "file" ? openFile : openText)({ ...opening, ticket }),
        confirm: (ticket) => client.secrets.received.mutate({ id: link.id, key: link.key, ticket }),
      });
      if (is === "foreign")
        await warn(io, ["its sender encrypted this with another program, so it is given as it was sent"]);
      if (is === "sealed") throw stillSealed(kind);
    });
}

interface RevealedSecret extends SecretFileLink {
  readonly io: Io;
  readonly client: Client;
  readonly json?: true | undefined;
}

/** Asks the server what the link leads to, and the person for the passwords that open it. Nothing is used up. */
async function prepare(
  io: Io,
  of: { client: Client; link: SecretLink; passwordFd: number | undefined; ticket: string | undefined },
) {
  const { client, link, passwordFd, ticket } = of;
  const { id, key, inner } = link;
  const { status, closed, ...secret } = await client.secrets.status.mutate({ id, key });
  // With a ticket the secret may have been claimed before.
  if (status !== "active" && ticket === undefined)
    throw new CliError(EXIT.gone, `This secret can no longer be opened: ${describeEnd({ status, closed })}.`);
  const passphrase = secret.hasPassphrase
    ? await readPassword(io, { question: "Passphrase", passwordFd })
    : undefined;
  const { makeReaderKeys } = await import("../../../tools/crypto/end-to-end.ts");
  return { ...secret, keys: await makeReaderKeys(inner, { ...secret, passphrase }) };
}

async function openText({ io, client, link: { id, key }, keys, isEncrypted, ticket, ...to }: RevealedSecret) {
  const { openRevealed } = await import("../../../tools/crypto/end-to-end.ts");
  const { is, text } = await handOutText(io, to, async () => {
    const revealed = await client.secrets.reveal.mutate({ id, key, ...keys.sent, ticket });
    const opened = await openRevealed(revealed, keys.keys);
    return { is: opened.is, text: opened.is === "text" ? opened.text : opened.content };
  });
  if (to.json) await printJson(io, { id, content: text, isEncrypted });
  return is;
}

async function openFile({ io, json, ...opening }: RevealedSecret) {
  const { link, isEncrypted, output, anyName } = opening;
  if (json && output === STANDARD)
    throw usageError("--json writes to standard output too; name a file with -o FILE.");
  const opened = await openSecretFile(io, opening);
  if (opened.is === "bundle") {
    const { is, message, files } = opened;
    if (json) await printJson(io, { id: link.id, isEncrypted, message: message ?? null, files });
    else {
      // The message is printed like any other text; where the files went is told to a person only.
      if (message !== undefined) await printText(io, message);
      for (const file of files) await noteSize(io, file.path, file.size);
    }
    await warnOfNames(io, files, anyName);
    return is;
  }
  const { path, is, ...file } = opened;
  if (json) await printJson(io, { id: link.id, ...file, isEncrypted, path });
  else if (path !== STANDARD) await noteSize(io, opened.path, opened.size);
  if (path !== output) await warnOfNames(io, [opened], anyName);
  return is;
}

async function warnOfNames(
  io: Io,
  files: readonly { name: string; path: string }[],
  anyName: true | undefined,
): Promise<void> {
  for (const { name, path } of files) {
    const harmless = await harmlessName(name, { anyName });
    if (harmless !== name)
      await warn(io, [`some systems run or obey a file called ${name}, so this one is called ${path}`]);
    else if (basename(path) !== name)
      await warn(io, [`there is a file called ${name} already, so this one is called ${path}`]);
  }
}

function stillSealed(what: "text" | "file"): CliError {
  const advice = what === "text" ? " The page /open of the server opens it with the right one." : "";
  const message = `The ${what} was written out encrypted as it is: the part of the link after its dot is missing or wrong.`;
  return new CliError(EXIT.password, message + advice);
}
