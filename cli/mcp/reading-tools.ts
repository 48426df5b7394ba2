import { parseRequestLink } from "../../wire/links/links.ts";
import { unwrapLink } from "../../wire/links/wrapped-links.ts";
import { readCollectLink, readNamed, readSecretLink } from "../server/links.ts";
import { answerSchema, splitAnswer } from "./answers.ts";
import { checkString, inputSchema, type JsonSchema, type Values } from "./model-schema.ts";
import { readPassphrase } from "./read-values.ts";
import { readReference, referenceTo } from "./references.ts";
import { runCommand } from "./run-command.ts";
import { findOutput, OUTPUT, OVER_NETWORK, WRITTEN, type ModelTool, type ToolContext } from "./tool.ts";

const LINK: JsonSchema = {
  type: "string",
  maxLength: 8_192,
  description: "The whole link, or file:PATH or env:NAME, which holds it",
};

const PASSPHRASE = referenceTo("The secret's, where it has one");
const OPEN_INPUT = inputSchema({ link: LINK, passphrase: PASSPHRASE, ...OUTPUT }, ["link", "output"]);

export function openTool(context: ToolContext): ModelTool {
  return {
    name: "open",
    title: "Open a secret into a file",
    description:
      "Reads a secret once, which deletes it on the server, and writes it to `output`; several files in one link are a ZIP, also with a message. " +
      `The answer does not contain what was in it. ${OVER_NETWORK}`,
    input: OPEN_INPUT,
    output: answerSchema({ ...WRITTEN, id: { type: "string" }, isEncrypted: { type: "boolean" } }, [
      "written",
    ]),
    annotations: { destructiveHint: true, openWorldHint: true },
    run: (values) => open(context, values),
  };
}

async function open(context: ToolContext, values: Values) {
  const { io } = context;
  const link = await readLink(context, values);
  await context.hosts.check("link", readSecretLink(link).server);
  const { path, force } = await readOutput(context, values);
  const passphrase = await readPassphrase(context, values);
  const { openCommand } = await import("../commands/secrets/open.ts");
  // Written as one file: unpacking several would print their message.
  const argv = ["-", "-o", path, "--zip", "--json", ...force];
  const { printed, warnings } = await runCommand(io, openCommand, { argv, stdin: link, passphrase });
  // A text is printed too; it is not passed on.
  const { content: _content, id, size, path: _path, isEncrypted, ...others } = printed;
  return {
    facts: { written: path, ...splitAnswer({ id, size, isEncrypted }).facts },
    untrusted: { ...others, ...(warnings !== "" && { warnings }) },
  };
}

const COLLECT_INPUT = inputSchema({ link: LINK, ...OUTPUT }, ["link", "output"]);

const LEFT: JsonSchema = { type: "integer", description: "How many more answers wait" };

export function collectTool(context: ToolContext): ModelTool {
  return {
    name: "collect",
    title: "Collect an answer into a file",
    description:
      "Reads the answer to a request, which deletes it on the server, by the link that `ask` made for the user, and writes it to `output`; " +
      "of several the oldest, and `left` says how many more wait. " +
      `The answer does not contain what was in it. ${OVER_NETWORK}`,
    input: COLLECT_INPUT,
    output: answerSchema({ written: WRITTEN.written, left: LEFT }, ["written"]),
    annotations: { destructiveHint: true, openWorldHint: true },
    run: (values) => collect(context, values),
  };
}

async function collect(context: ToolContext, values: Values) {
  const link = await readLink(context, values);
  await context.hosts.check("link", readCollectLink(link).server);
  const { path, force } = await readOutput(context, values);
  const { collectCommand } = await import("../commands/requests/collect.ts");
  const run = { argv: ["-", "-o", path, "--json", ...force], stdin: link };
  const { printed, warnings } = await runCommand(context.io, collectCommand, run);
  // The answer is printed too; it is not passed on.
  const { facts } = splitAnswer({ left: printed.left });
  return { facts: { written: path, ...facts }, untrusted: warnings === "" ? {} : { warnings } };
}

const STATUS_LINK = { ...LINK, description: `${LINK.description}; or the receipt that \`send\` answered` };
const STATUS_INPUT = inputSchema({ link: STATUS_LINK }, ["link"]);

const COUNT: JsonSchema = { type: "integer" };

// The schema promises none of what a server says, which counts as a fact only where it looks like one.
const STATUS_OUTPUT = answerSchema({
  id: { type: "string" },
  kind: { type: "string", enum: ["text", "file"] },
  status: { type: "string" },
  expiry: { type: "string" },
  closed: { type: ["string", "null"], description: "When it ended" },
  isEncrypted: { type: "boolean" },
  hasPassphrase: { type: "boolean" },
  size: { type: "integer", description: "Of a file, in bytes" },
  answers: COUNT,
  answered: COUNT,
  collected: COUNT,
});

export function statusTool(context: ToolContext): ModelTool {
  return {
    name: "status",
    title: "What became of a secret or a request",
    description: `Asks what became of it, without reading it. ${OVER_NETWORK}`,
    input: STATUS_INPUT,
    output: STATUS_OUTPUT,
    annotations: { readOnlyHint: true, openWorldHint: true },
    run: (values) => status(context, values),
  };
}

async function status(context: ToolContext, values: Values) {
  const { io, hosts } = context;
  const link = await readLink(context, values);
  await hosts.check("link", (await readNamed(io, link)).server.url);
  const { statusCommand } = await import("../commands/secrets/status.ts");
  const { printed } = await runCommand(io, statusCommand, { argv: ["-", "--json"], stdin: link });
  const { note: sealed, ...answer } = printed;
  const { facts, untrusted } = splitAnswer(answer);
  const note = typeof sealed === "string" ? await openNoteOf(link, sealed) : undefined;
  return { facts, untrusted: { ...untrusted, ...(note !== undefined && { note }) } };
}

/** What is asked for, where the link can decrypt it; the asker's own link cannot. */
async function openNoteOf(link: string, sealed: string): Promise<string | undefined> {
  const request = parseRequestLink(unwrapLink(link));
  if (request.is !== "answer") return undefined;
  const { openNote, readLinkKey } = await import("../../tools/crypto/request-seal.ts");
  const publicKey = readLinkKey(request.link.publicKey);
  return openNote(sealed, publicKey).catch(() => "It cannot be read.");
}

/** Links are short, and may already be in the conversation. */
async function readLink({ io, folders }: ToolContext, { link }: Values): Promise<string> {
  const text = checkString("link", link);
  return /^(file|env):/.test(text) ? readReference(io, folders, { parameter: "link", text }) : text;
}

async function readOutput({ folders }: ToolContext, values: Values) {
  const { path, force } = await findOutput(folders, values);
  return { path, force: force ? ["--force"] : [] };
}
