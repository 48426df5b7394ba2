import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import type { Bytes } from "../../wire/bytes.ts";
import type { Io } from "../terminal/io.ts";

/** Files are named by their paths: no call of a tool is as long. */
const MAX_MESSAGE_BYTES = 2 ** 23;
/** Of a batch, which a client of protocol 2025-03-26 may send. */
const MOST_CALLS = 100;

/** JSON-RPC 2.0, 5.1. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** What could not be read as a message, as JSON-RPC 2.0 has it answered. */
interface ErrorResponse {
  readonly jsonrpc: "2.0";
  /** Null where nobody can tell whose it is. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * JSON-RPC, a message in each line. The transport of the SDK (2.4.0) leaves a line without an answer that is no message, and
 * ends where one is longer than 10 MB.
 */
export function lineTransport({ stdin, stdout }: Pick<Io, "stdin" | "stdout">) {
  const write = (message: JSONRPCMessage | ErrorResponse) => stdout.write(`${JSON.stringify(message)}\n`);
  const transport: Transport = {
    start: async () => {},
    send: write,
    close: async () => transport.onclose?.(),
  };
  /** Hands on what comes, until there is no more. */
  const read = async () => {
    for await (const line of linesOf(stdin.read())) {
      const { messages, refused } = readLine(line);
      for (const each of refused) await write(each);
      for (const each of messages) transport.onmessage?.(each);
    }
  };
  return { transport, read };
}

/** Without their ends, and undefined for one that is too long; what follows the last end is none. */
async function* linesOf(pieces: AsyncIterable<Bytes>): AsyncGenerator<string | undefined> {
  let held: Bytes[] = [];
  let size = 0;
  const hold = (piece: Bytes) => {
    size += piece.length;
    if (size <= MAX_MESSAGE_BYTES) held.push(piece);
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      hold(piece.subarray(from, end));
      yield size > MAX_MESSAGE_BYTES ? undefined : Buffer.concat(held).toString("utf8");
      from = end + 1;
      [held, size] = [[], 0];
    }
    hold(piece.subarray(from));
  }
}

interface Line {
  readonly messages: readonly JSONRPCMessage[];
  readonly refused: readonly ErrorResponse[];
}

function readLine(line: string | undefined): Line {
  if (line === undefined)
    return refuseLine(INVALID_REQUEST, `A message has at most ${MAX_MESSAGE_BYTES} bytes.`);
  if (line.trim() === "") return { messages: [], refused: [] };
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return refuseLine(PARSE_ERROR, "This line is no JSON; a message is one object in one line.");
  }
  const all: unknown[] = Array.isArray(given) ? given : [given];
  if (all.length === 0 || all.length > MOST_CALLS)
    return refuseLine(INVALID_REQUEST, `A batch has from 1 to ${MOST_CALLS} messages.`);
  const lines = all.map(readMessage);
  return {
    messages: lines.flatMap(({ messages }) => messages),
    refused: lines.flatMap(({ refused }) => refused),
  };
}

function readMessage(given: unknown): Line {
  try {
    return { messages: [parseJSONRPCMessage(given)], refused: [] };
  } catch {
    const fields = new Map(Object.entries(Object(given)));
    // An answer is never answered: two programs could go on like that without end.
    if (fields.has("result") || fields.has("error")) return { messages: [], refused: [] };
    const id = fields.get("id");
    const message =
      'This is no request of JSON-RPC: "jsonrpc" is "2.0", "method" a text, "params" an object where there are some, and "id" a text or a whole number.';
    return refuseLine(INVALID_REQUEST, message, typeof id === "string" || typeof id === "number" ? id : null);
  }
}

function refuseLine(code: number, message: string, id: ErrorResponse["id"] = null): Line {
  return { messages: [], refused: [{ jsonrpc: "2.0", id, error: { code, message } }] };
}
