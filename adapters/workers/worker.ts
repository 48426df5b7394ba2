// The other side of pool.ts: a thread on Node and Bun, a process that speaks over its pipes on Deno. It does
// one task at a time and loads a tool when it is first asked for.
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { packMessage, unpackMessage, type Message } from "./message.ts";
import { describeError } from "../operations/stack.ts";
import { pipeParts, readPipeSync, writePipeSync } from "./pipe.ts";

/** `name` is "<file without .ts>#<export>"; without a name it is a question whether the worker lives. */
export type Task = { name?: string; args?: unknown[] };

export type Reply =
  | { result?: unknown }
  | { failure: { code: string; message: string; fields: Readonly<Record<string, unknown>> } }
  | { error: { name: string; frames: string[] } };

// A library's warning may quote the file, and on Deno standard output is the pipe.
for (const method of ["log", "info", "warn", "error", "debug", "trace"] as const) console[method] = () => {};

if (parentPort) serveThread(parentPort);
else await servePipe();

function serveThread(port: MessagePort): void {
  port.on("message", async (message: Message) => {
    // Both ends are this program, so the shape is known here and in servePipe.
    const reply = await answer(unpackMessage(message) as Task, String(workerData));
    const packed = packReply(reply, packMessage);
    port.postMessage(packed, packed.buffers);
  });
}

async function servePipe(): Promise<void> {
  const toolsUrl = process.argv[2] ?? "";
  for (let task = readPipeSync(); task !== undefined; task = readPipeSync()) {
    writePipeSync(packReply(await answer(task as Task, toolsUrl), pipeParts));
  }
}

async function answer({ name, args = [] }: Task, toolsUrl: string): Promise<Reply> {
  if (name === undefined) return {};
  try {
    const [file, key = ""] = name.split("#");
    const tools: Record<string, unknown> = await import(new URL(`${file}.ts`, toolsUrl).href);
    const tool = tools[key];
    if (typeof tool !== "function") throw new TypeError("No tool of this name");
    return { result: await tool(...args) };
  } catch (error) {
    return describe(error);
  }
}

function describe(error: unknown): Reply {
  if (!(error instanceof ToolFailure)) return { error: describeError(error) };
  const { code, message, fields } = error;
  return { failure: { code, message, fields } };
}

function packReply<Packed>(reply: Reply, pack: (value: unknown) => Packed): Packed {
  try {
    return pack(reply);
  } catch (error) {
    return pack({ error: describeError(error) });
  }
}
