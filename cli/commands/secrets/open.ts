import type { Client } from "../../../client/client.ts";
import { utf8 } from "../../../wire/bytes.ts";
import { defineCommand, shared } from "../../definition.ts";
import { CliError, EXIT } from "../../exit.ts";
import { STANDARD } from "../../files/input.ts";
import { startOutput, type Writing } from "../../files/output.ts";
import { connect, linkedServer } from "../../server/connect.ts";
import { parseLink, takeLink, type SecretLink } from "../../server/secret-link.ts";
import { note, printJson, warn, type Io } from "../../terminal/io.ts";
import { readPassword } from "../../terminal/passwords.ts";

export function openCommand(io: Io) {
  return defineCommand("open", {
    summary: "Read a secret, which deletes it",
    description:
      "Reads what a link leads to, once, and writes it to standard output or to a file that only you can read. " +
      "A passphrase is asked for where the secret has one; a wrong one does not use the secret up.",
    examples: ["hushkit open 'https://hush.example/s/ID#KEY'", "hushkit open - -o deploy.key < link.txt"],
  })
    .argument("<link>", 'the link, in quotes; "-" reads it from standard input')
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.json())
    .action(async (operand, { output = STANDARD, force, json, passwordFd }) => {
      const link = parseLink(await takeLink(io, operand));
      const client = await connect(io, await linkedServer(io, link));
      const keys = await takeKeys(client, { io, link, passwordFd });
      // Before the secret is used up.
      const writing = await startOutput(io, { path: output, force, isPrivate: true, isText: true });
      const revealed = await reveal(client, { link, keys }).catch((error: unknown) =>
        dropAndThrow(writing, error),
      );
      if (json)
        await printJson(io, { id: link.id, content: revealed.content, isEncrypted: revealed.isEncrypted });
      if (!json || output !== STANDARD) await writing.write(utf8(revealed.content));
      await writing.finish();
      const isShown = output === STANDARD && !json && io.stdout.isTerminal;
      if (isShown && !revealed.content.endsWith("\n")) await note(io, "");
      await warn(io, revealed.warnings);
      if (revealed.isSealed) throw stillSealed();
    });
}

async function dropAndThrow(writing: Writing, error: unknown): Promise<never> {
  await writing.drop();
  throw error;
}

interface Keys {
  /** Undefined where there is nothing to open on this side. */
  readonly contentKey: Uint8Array<ArrayBuffer> | undefined;
  /** What the server asks for: the passphrase, or the gate that stands for it. */
  readonly passphrase: string | undefined;
}

interface Asking {
  readonly io: Io;
  readonly link: SecretLink;
  readonly passwordFd: number | undefined;
}

async function takeKeys(client: Client, { io, link, passwordFd }: Asking): Promise<Keys> {
  const { id, key, inner } = link;
  const secret = await client.secrets.status.mutate({ id, key });
  if (secret.status !== "active") throw gone(secret);
  const passphrase = secret.hasPassphrase
    ? await readPassword(io, { question: "Passphrase", passwordFd })
    : undefined;
  if (!secret.isEncrypted || inner === undefined) return { contentKey: undefined, passphrase };
  const { deriveEndToEnd } = await import("../../../tools/crypto/text-seal.ts");
  const { contentKey, gate } = await deriveEndToEnd(inner, { passphrase });
  return { contentKey, passphrase: gate ?? undefined };
}

function gone({ status, closed }: { status: string; closed: string | null }): CliError {
  const at = closed === null ? "" : ` at ${closed}`;
  return new CliError(EXIT.gone, `This secret can no longer be opened: it was ${status}${at}.`);
}

interface Revealed {
  readonly content: string;
  readonly isEncrypted: boolean;
  /** Sealed here, and not opened by this link. */
  readonly isSealed: boolean;
  readonly warnings: readonly string[];
}

async function reveal(client: Client, { link, keys }: { link: SecretLink; keys: Keys }): Promise<Revealed> {
  const { id, key } = link;
  const { contentKey, passphrase } = keys;
  const about = passphrase === undefined ? {} : { passphrase };
  const { content, isEncrypted } = await client.secrets.reveal.mutate({ id, key, ...about });
  if (!isEncrypted) return { content, isEncrypted, isSealed: false, warnings: [] };
  if (!content.startsWith("s1.")) {
    const warnings = ["its sender encrypted this with another program, so it is shown as it was sent"];
    return { content, isEncrypted, isSealed: false, warnings };
  }
  const text = contentKey && (await openSealed(content, contentKey));
  return { content: text ?? content, isEncrypted, isSealed: text === undefined, warnings: [] };
}

// The secret is used up by now: what does not open is handed out as it is, and is not lost.
async function openSealed(content: string, contentKey: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const { openText } = await import("../../../tools/crypto/text-seal.ts");
  return openText(content, { contentKey }).catch(() => undefined);
}

function stillSealed(): CliError {
  return new CliError(
    EXIT.password,
    "The text was written out sealed as it is: the part of the link after its dot is missing or wrong. " +
      "The page /open of the server opens it with the right one.",
  );
}
