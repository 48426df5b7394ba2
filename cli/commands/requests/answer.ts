import type { Client } from "../../../client/client.ts";
import { describeEnd } from "../../../wire/call-error.ts";
import { LATE_COLLECTOR_SECONDS } from "../../../wire/limits.ts";
import type { AnswerLink } from "../../../wire/links/links.ts";
import { defineCommand, shared } from "../../definition.ts";
import { CliError, EXIT, usageError } from "../../exit.ts";
import { askStatus, gateOf } from "../../secrets/format-status.ts";
import { readSecretContent, tellLineEnd } from "../../secrets/content.ts";
import { askLifetime, askLimit, sendContent } from "../../secrets/send-content.ts";
import { connect, linkedServer } from "../../server/connect.ts";
import { readAnswerLink, takeLink } from "../../server/links.ts";
import { note, printJson, warn, type Io } from "../../terminal/io.ts";

export function answerCommand(io: Io) {
  return defineCommand("answer", {
    summary: "Answer a request for a secret",
    description:
      "Shows what is asked for, takes the answer from standard input and encrypts it so that only the asker can read " +
      "it. A file is stored as a secret on the same server, and its link is the answer.",
    examples: [
      "hushkit answer 'https://hush.example/r/ID#KEY' < token.txt",
      "hushkit answer 'https://hush.example/r/ID#KEY' report.pdf",
    ],
  })
    .argument("<link>", 'the link, in quotes; "-" reads it from standard input, then the answer is FILE')
    .argument("[file]", "a file as the answer")
    .addOption(shared.trim())
    .addOption(shared.expires())
    .addOption(shared.json())
    .action(async (operand, file, { trim, expires, json }) => {
      if (operand === "-" && (file === undefined || file === "-"))
        throw usageError("Standard input holds the link or the answer, not both: name a file.");
      const link = readAnswerLink(await takeLink(io, operand));
      const server = await linkedServer(io, link);
      const client = await connect(io, server);
      const { expiry } = await readRequest(io, client, link);
      const content = await readSecretContent(io, file, {
        askLimit: async () => (await askLimit(client, "secretLength")) ?? 0,
        trim,
      });
      const lifetime =
        content.is === "file" ? (expires ?? (await askLifetime(client, fileSeconds(expiry)))) : expires;
      const sending = { io, server, client, expires: lifetime, passphrase: undefined, notify: true };
      const text = content.is === "text" ? content.text : (await sendContent(content, sending)).url;
      const answered = await answer(client, link, text);
      await tellLineEnd(io, content);
      if (json) await printJson(io, answered);
      else await note(io, "It is answered; only the asker can read it.");
    });
}

const LEAST_FILE_SECONDS = 604_800;

/** How long a file that is an answer is kept; a week at least, because the clock of this machine may be off by days. */
function fileSeconds(expiry: string): number {
  const left = Math.ceil((Date.parse(expiry) - Date.now()) / 1000);
  return Math.max(LEAST_FILE_SECONDS, left + LATE_COLLECTOR_SECONDS);
}

/** Reads a request, and shows what is asked for. @throws CliError gone where nobody can answer any more */
async function readRequest(io: Io, client: Client, link: AnswerLink): Promise<{ expiry: string }> {
  const state = await askStatus(client, { is: "answer", link });
  const { expiry, note: sealed } = state;
  if (state.status !== "open")
    throw new CliError(EXIT.gone, `This request takes no answer: ${describeEnd(state)}.`);
  if (sealed === null) return { expiry };
  const { openNote, readLinkKey } = await import("../../../tools/crypto/request-seal.ts");
  const opened = await openNote(sealed, readLinkKey(link.publicKey)).catch(() => undefined);
  if (opened === undefined) await warn(io, ["what is asked for cannot be read"]);
  else await note(io, `They ask: ${opened}`);
  return { expiry };
}

async function answer(client: Client, link: AnswerLink, text: string) {
  const { readLinkKey, sealAnswer } = await import("../../../tools/crypto/request-seal.ts");
  const publicKey = readLinkKey(link.publicKey);
  const content = await sealAnswer(text, { publicKey, requestId: link.id });
  return client.requests.answer.mutate({ id: link.id, gate: await gateOf(link), content });
}
