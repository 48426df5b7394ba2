// Does the work of a tool page away from the page itself. Every tool is loaded when it is first asked for.
import type { Bytes } from "../../wire/bytes.ts";
import { packFailure, ToolFailure } from "../../wire/tool-failure.ts";
import { readChunks } from "../files/read-chunks.ts";
import { createPageJobs, type PlaceOfFile } from "./jobs.ts";
import type { JobReply, JobRequest } from "./messages.ts";

const jobs = createPageJobs(chunksOf);

addEventListener("message", async ({ data }: MessageEvent<JobRequest>) => send(await answer(data)));

async function answer({ name, args }: JobRequest): Promise<JobReply> {
  try {
    const job: (...args: never[]) => Promise<unknown> = jobs[name];
    // Which arguments belong to which name is what run.ts has checked by type.
    return { result: await job(...(args as never[])) };
  } catch (error) {
    if (error instanceof ToolFailure) return { failure: packFailure(error) };
    return { error: { name: error instanceof Error ? error.name : "", message: String(error) } };
  }
}

async function* chunksOf(
  file: File,
  { before, total }: PlaceOfFile = { before: 0, total: file.size },
): AsyncGenerator<Bytes> {
  let done = before;
  for await (const chunk of readChunks(file.stream())) {
    yield chunk;
    done += chunk.length;
    send({ progress: done / total });
  }
}

// A result is handed over, not copied.
function send(reply: JobReply): void {
  postMessage(reply, { transfer: "result" in reply ? buffersOf(reply.result) : [] });
}

function buffersOf(result: unknown): ArrayBuffer[] {
  const bytes = typeof result === "object" && result !== null && "bytes" in result ? result.bytes : undefined;
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}
