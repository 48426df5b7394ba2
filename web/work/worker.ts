// Does the work of a tool page outside of the page itself. Each tool is loaded on first use.
import type { Bytes } from "../../wire/bytes.ts";
import { packFailure, ToolFailure } from "../../wire/tool-failure.ts";
import { UnreadableFile } from "../api/failure.ts";
import { chunksOfStream } from "./read-chunks.ts";
import { createPageJobs, type FilePosition, type JobReply, type JobRequest } from "./jobs.ts";

/** A message costs more than the work between two of them where a document has 100,000 small objects. */
const LEAST_STEP = 0.01;

const jobs = createPageJobs({ chunksOf, onProgress });
let shown = 0;

addEventListener("message", async ({ data }: MessageEvent<JobRequest>) => send(await answer(data)));

async function answer({ name, args }: JobRequest): Promise<JobReply> {
  shown = 0;
  try {
    const job: (...args: never[]) => Promise<unknown> = jobs[name];
    // run.ts has checked by type which arguments belong to which name.
    return { result: await job(...(args as never[])) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { unreadable: error.fileName };
    if (error instanceof ToolFailure) return { failure: packFailure(error) };
    return { error: { name: error instanceof Error ? error.name : "", message: String(error) } };
  }
}

async function* chunksOf(
  file: File,
  { before, total }: FilePosition = { before: 0, total: file.size },
): AsyncGenerator<Bytes> {
  let done = before;
  try {
    for await (const chunk of chunksOfStream(file.stream())) {
      yield chunk;
      done += chunk.length;
      onProgress(done / total);
    }
  } catch (error) {
    // Chromium calls it a TypeError of the network.
    throw new UnreadableFile(file.name, { cause: error });
  }
}

// Progress does not go back when work starts again because a document proved damaged.
function onProgress(part: number): void {
  if (part < shown + LEAST_STEP) return;
  shown = part;
  send({ progress: part });
}

// A result is transferred, not copied.
function send(reply: JobReply): void {
  postMessage(reply, { transfer: "result" in reply ? buffersOf(reply.result) : [] });
}

function buffersOf(result: unknown): ArrayBuffer[] {
  const bytes = typeof result === "object" && result !== null && "bytes" in result ? result.bytes : undefined;
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}
