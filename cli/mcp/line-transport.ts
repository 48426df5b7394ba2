import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import type { Bytes } from "../../wire/bytes.ts";
import type { Io } from "../terminal/io.ts";

/** Files are named by path, so no tool call is as long as this. */
const MAX_MESSAGE_BYTES = 2 ** 23;
/** Calls in a batch, which clients of protocol 2025-03-26 may send. */
const MOST_CALLS = 100;

/** JSON-RPC 2.0, 5.1. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** The answer to what is no valid message, as JSON-RPC 2.0 defines it. */
interface ErrorResponse {
  readonly jsonrpc: "2.0";
  /** Null where the id cannot be read. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * JSON-RPC with one message per line. The SDK's own transport (2.4.0) does not answer a line that is no message, and
 * stops at one longer than 10 MB.
 */
export function lineTransport({ stdin, stdout }: Pick<Io, "stdin" | "stdout">) {
  const { promise: unwritten, reject: fail } = Promise.withResolvers<never>();
  const write = (message: JSONRPCMessage | ErrorResponse) =>
    stdout.write(`${JSON.stringify(message)}\n`).catch(fail);
  const transport: Transport = {
    start: async () => {},
    send: write,
    close: async () => transport.onclose?.(),
  };
  const passOn = async () => {
    for await (const line of linesOf(stdin.read())) {
      const { messages, refused } = readLine(line);
      for (const each of refused) await write(each);
      for (const each of messages) transport.onmessage?.(each);
    }
  };
  /** Passes on messages until the input ends. Throws where it cannot be read, and where nobody takes the answers. */
  const read = () => Promise.race([passOn(), unwritten]);
  return { transport, read };
}

/** Lines without their ends; undefined for one that is too long. Text after the last line end is ignored. */
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
    // Responses are never answered: two programs could go on like that forever.
    if (fields.has("result") || fields.has("error")) return { messages: [], refused: [] };
    const id = fields.get("id");
    const message =
      'This is not a request of JSON-RPC: "jsonrpc" is "2.0", "method" a text, "params" an object where there are some, and "id" a text or a whole number.';
    return refuseLine(INVALID_REQUEST, message, typeof id === "string" || typeof id === "number" ? id : null);
  }
}

function refuseLine(code: number, message: string, id: ErrorResponse["id"] = null): Line {
  return { messages: [], refused: [{ jsonrpc: "2.0", id, error: { code, message } }] };
}
