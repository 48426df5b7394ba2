// Does the work of a tool page away from the page itself. Every tool is loaded when it is first asked for.
/// <reference lib="webworker" />
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { createWasmHasher } from "./hasher.ts";
import type { Answered, Asked, Tasks } from "./tasks.ts";

// The project's types are those of a page; in this file the global object is the worker's.
const worker = globalThis as unknown as DedicatedWorkerGlobalScope;

const tasks: Tasks = {
  "pdf-merge": async (files) => {
    const { mergePdf } = await import("../../tools/pdf-merge.ts");
    const read = files.map(async ({ file, ...options }) => ({ data: await bytesOf(file), ...options }));
    return mergePdf(await Promise.all(read));
  },
  "pdf-rotate": async (file, options) =>
    (await import("../../tools/pdf-rotate.ts")).rotatePdf(await bytesOf(file), options),
  "pdf-unlock": async (file, options) =>
    (await import("../../tools/pdf-unlock.ts")).unlockPdf(await bytesOf(file), options),
  "pdf-split": async (file, options) =>
    (await import("../../tools/pdf-split.ts")).splitPdf(await bytesOf(file), options),
  "file-hash": async (file, options) =>
    (await import("../../tools/file-hash.ts")).hashFile(chunksOf(file), {
      ...options,
      createHasher: createWasmHasher,
    }),
  "file-lock": async (file, { password }) => {
    const { lockFile, lockedFileName } = await import("../../tools/file-encrypt.ts");
    const pieces: Bytes[] = [];
    for await (const piece of lockFile(chunksOf(file), { password, filename: file.name })) pieces.push(piece);
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return { bytes, filename: lockedFileName(file.name) };
  },
  "file-unlock": async (file, options) =>
    (await import("../../tools/file-encrypt.ts")).unlockFile(chunksOf(file), options),
  "image-convert": async (file, options) => {
    const { convertImage } = await import("../../tools/image-convert.ts");
    const { canvasCodec, warnOfFrames } = await import("./canvas-codec.ts");
    const image = await bytesOf(file);
    const made = await convertImage(image, { ...options, codec: canvasCodec });
    return { ...made, warnings: [...made.warnings, ...warnOfFrames(image, options.format)] };
  },
  "text-compare": async (texts, options) =>
    (await import("../../tools/text-compare.ts")).compareTexts(texts, options),
};

worker.addEventListener("message", async ({ data }: MessageEvent<Asked>) => {
  const reply = await answer(data);
  worker.postMessage(reply, "result" in reply ? buffersOf(reply.result) : []);
});

async function answer({ name, args }: Asked): Promise<Answered> {
  try {
    // Which arguments belong to which name is what run.ts has checked by type.
    const task = tasks[name] as (...args: readonly unknown[]) => Promise<unknown>;
    return { result: await task(...args) };
  } catch (error) {
    if (error instanceof ToolFailure) {
      return { failure: { code: error.code, message: error.message, fields: error.fields } };
    }
    return { error: { name: error instanceof Error ? error.name : "", message: String(error) } };
  }
}

async function bytesOf(file: File): Promise<Bytes> {
  return new Uint8Array(await file.arrayBuffer());
}

async function* chunksOf(file: File): AsyncGenerator<Bytes> {
  let done = 0;
  const reader = file.stream().getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield read.value;
    done += read.value.length;
    const progress: Answered = { progress: done / file.size };
    worker.postMessage(progress, []);
  }
}

// A result is handed over, not copied.
function buffersOf(result: unknown): ArrayBuffer[] {
  const bytes = typeof result === "object" && result !== null && "bytes" in result ? result.bytes : undefined;
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}
