import { utf8 } from "../../wire/bytes.ts";
import { DEFAULT_LIMITS } from "../../router/limits.ts";
import { MAX_ANSWERS, MIN_SECRET_SECONDS } from "../../wire/limits.ts";
import { usageError } from "../exit.ts";
import { readExactText } from "../files/input.ts";
import { fillOutput, startOutput } from "../files/output.ts";
import { answerSchema } from "./answers.ts";
import { checkString, inputSchema, type JsonSchema, type Values } from "./model-schema.ts";
import { readPassphrase } from "./read-values.ts";
import { parseReference, readVariable, referenceTo } from "./references.ts";
import { runCommand } from "./run-command.ts";
import { findOutput, OUTPUT, OVER_NETWORK, type ModelTool, type ToolContext } from "./tool.ts";

const EXPIRES: JsonSchema = {
  type: "integer",
  minimum: MIN_SECRET_SECONDS,
  description: "Lifetime in seconds; what the server says where it is absent, mostly a day",
};

const LINK_FILE: JsonSchema = {
  type: "string",
  description:
    "Path of a file to write the link to, below the allowed folders, in place of answering it; only its owner can read it",
};

const SEND_INPUT = inputSchema(
  {
    content: referenceTo("What is shared"),
    as: {
      type: "string",
      enum: ["file", "text"],
      default: "file",
      description: "Of file:PATH: a file with its name, or the text in it; a variable is a text",
    },
    passphrase: referenceTo("Asked of anyone who opens the link"),
    expires: EXPIRES,
    linkFile: LINK_FILE,
    overwrite: OUTPUT.overwrite,
  },
  ["content"],
);

const SEND_OUTPUT = answerSchema(
  {
    id: { type: "string" },
    expiry: { type: "string" },
    hasPassphrase: { type: "boolean" },
    receipt: { type: "string", description: "Asks for its status and takes it back" },
    link: { type: "string", description: "Opens it once" },
    linkFile: { type: "string", description: "Path of the file with the link" },
  },
  ["id", "receipt"],
);

export function sendTool(context: ToolContext): ModelTool {
  return {
    name: "send",
    title: "Share a secret",
    description:
      "Encrypts a file or a variable end to end on this machine, stores it on the server and answers the link that opens it once. " +
      "Anyone with the link can open it: give it to the user and to nobody else, or let it be written to `linkFile`. " +
      `\`receipt\` asks for its status and takes it back (\`hushkit revoke\`), and opens nothing. ${OVER_NETWORK}`,
    input: SEND_INPUT,
    output: SEND_OUTPUT,
    annotations: { destructiveHint: false, openWorldHint: true },
    run: (values) => send(context, values),
  };
}

async function send(context: ToolContext, values: Values) {
  const { io } = context;
  const sent = await readContent(context, values);
  const passphrase = await readPassphrase(context, values);
  const { sendCommand } = await import("../commands/secrets/send.ts");
  return handOutLink(context, { values, what: "link" }, async () => {
    const argv = [...sent.argv, ...expiresOf(values), "--json"];
    const run = { argv, stdin: sent.stdin, passphrase, hasOwnWords: true } as const;
    const { printed } = await runCommand(io, sendCommand, run);
    const { id, expiry, hasPassphrase, revokeToken, url } = printed;
    return { facts: { id, expiry, hasPassphrase, receipt: `${id}.${revokeToken}` }, link: String(url) };
  });
}

/** The most that any server takes; this server says its own limit. A character has at most four bytes. */
const MAX_FILE_BYTES = 2 ** 31;
const MAX_TEXT_BYTES = 4 * DEFAULT_LIMITS.member.secretCharacters;

/** A file is passed by its path, to be read while it is sent; a text goes through standard input. */
async function readContent({ io, folders }: ToolContext, { content, as = "file" }: Values) {
  const reference = parseReference("content", checkString("content", content));
  if (reference.is === "env")
    return { argv: [], stdin: readVariable(io, { parameter: "content", name: reference.name }) };
  if (as !== "file" && as !== "text") throw usageError('Parameter "as" must be file or text.');
  const maxBytes = as === "text" ? MAX_TEXT_BYTES : MAX_FILE_BYTES;
  const path = await folders.findInput({ parameter: "content", path: reference.name }, { maxBytes });
  if (as === "file") return { argv: [path], stdin: undefined };
  return { argv: [], stdin: await readExactText(io, path) };
}

const ASK_INPUT = inputSchema({
  note: { type: "string", description: "What is asked for; only those with a link can read it" },
  answers: {
    type: "integer",
    minimum: 1,
    maximum: MAX_ANSWERS,
    default: 1,
    description: "How many answers it takes; `collect` writes one each time",
  },
  expires: EXPIRES,
  linkFile: LINK_FILE,
  overwrite: OUTPUT.overwrite,
});

const ASK_OUTPUT = answerSchema(
  {
    id: { type: "string" },
    expiry: { type: "string" },
    answerLink: { type: "string", description: "To be given away" },
    collectLink: { type: "string", description: "Reads the answer" },
    linkFile: { type: "string", description: "Path of the file with the link that reads it" },
  },
  ["id", "answerLink"],
);

export function askTool(context: ToolContext): ModelTool {
  return {
    name: "ask",
    title: "Ask for a secret",
    description:
      "Makes two links: `answerLink` is to be given away, and anyone who has it can answer once, or as often as `answers` says; the other one, `collectLink`, reads the answer, " +
      `and is for the user alone: it can be written to \`linkFile\`. \`collect\` writes the answer to a file. ${OVER_NETWORK}`,
    input: ASK_INPUT,
    output: ASK_OUTPUT,
    annotations: { destructiveHint: false, openWorldHint: true },
    run: (values) => ask(context, values),
  };
}

async function ask(context: ToolContext, values: Values) {
  const { note, answers } = values;
  const counted = answers === undefined ? [] : [`--answers=${checkAnswers(answers)}`];
  const noted = note === undefined ? [] : [`--note=${checkString("note", note)}`];
  const { askCommand } = await import("../commands/requests/ask.ts");
  return handOutLink(context, { values, what: "collectLink" }, async () => {
    const argv = [...noted, ...counted, ...expiresOf(values), "--json"];
    const { printed } = await runCommand(context.io, askCommand, { argv, hasOwnWords: true });
    const { id, expiry, url, collectUrl } = printed;
    return { facts: { id, expiry, answerLink: url }, link: String(collectUrl) };
  });
}

function checkAnswers(answers: unknown): number {
  const count = Number.isSafeInteger(answers) ? Number(answers) : 0;
  if (count >= 1 && count <= MAX_ANSWERS) return count;
  throw usageError(`Parameter "answers" must be a whole number from 1 to ${MAX_ANSWERS}.`);
}

function expiresOf({ expires }: Values): string[] {
  if (expires === undefined) return [];
  if (Number.isSafeInteger(expires) && Number(expires) > 0) return ["--expires", String(expires)];
  throw usageError('Parameter "expires" must be a whole number of seconds.');
}

/** Returns a link, or writes it to the file that was named for it. That file is prepared before there is a link. */
async function handOutLink(
  { io, folders, linksToFiles }: ToolContext,
  { values: { linkFile, overwrite }, what }: { values: Values; what: string },
  make: () => Promise<{ facts: Values; link: string }>,
) {
  if (linkFile === undefined) {
    if (linksToFiles) throw usageError(NEEDS_FILE);
    const { facts, link } = await make();
    return { facts: { ...facts, [what]: link } };
  }
  const { path, force } = await findOutput(folders, { linkFile, overwrite }, "linkFile");
  return fillOutput(await startOutput(io, { path, force, isPrivate: true }), async (write) => {
    const { facts, link } = await make();
    await write(utf8(`${link}\n`));
    return { facts: { ...facts, linkFile: path } };
  });
}

const NEEDS_FILE =
  'Parameter "linkFile" is missing: this server was started with --links-to-files, so links are written to files and kept out of answers.';
