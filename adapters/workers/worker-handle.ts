import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { buffersGiven, packMessage, unpackMessage, type Message } from "./message.ts";
import { describeError } from "../operations/stack.ts";
import { createPipeReader, pipeParts } from "./pipe.ts";

/** One worker as the main thread sees it: something that can be handed a task, and stopped in the middle of it. */
export type WorkerHandle = {
  /** @throws TypeError when the value cannot travel; the worker is as free as before then. */
  post(value: unknown): void;
  /** Whether the process has to stay alive for what this worker does. */
  hold(isBusy: boolean): void;
  kill(): Promise<void>;
};

export type WorkerHandleOptions = {
  toolsUrl: URL;
  heapMegabytes?: number | undefined;
  inProcesses: boolean;
  onReply: (value: unknown) => void;
  /** Called once, also after kill. */
  onDeath: (reason: string) => void;
};

const WORKER = new URL("./worker.ts", import.meta.url);

/** Starts a worker: a thread or, on Deno, where nothing stops a thread that is busy, always a process. */
export function startWorker(options: WorkerHandleOptions): WorkerHandle {
  return options.inProcesses || process.versions["deno"] ? openProcess(options) : openThread(options);
}

function openThread({ toolsUrl, heapMegabytes, onReply, onDeath }: WorkerHandleOptions): WorkerHandle {
  const worker = new Worker(WORKER, {
    workerData: toolsUrl.href,
    // Neither the configuration with its database password nor a test pool's hooks are a worker's business.
    env: {},
    execArgv: [],
    ...(heapMegabytes && { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
  });
  const die = once(onDeath);
  // Both ends are this program, so the shape is known.
  worker.on("message", (message: Message) => onReply(unpackMessage(message)));
  worker.on("messageerror", () => die("an unreadable reply"));
  worker.on("error", (error) => die(nameDeath(error)));
  worker.on("exit", (code) => die(`exit code ${code}`));
  return {
    post(value) {
      const message = packMessage(value);
      worker.postMessage(message, message.buffers);
    },
    hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    kill: async () => void (await worker.terminate()),
  };
}

function openProcess({ toolsUrl, heapMegabytes, onReply, onDeath }: WorkerHandleOptions): WorkerHandle {
  const child = spawn(process.execPath, [...listFlags(heapMegabytes), fileURLToPath(WORKER), toolsUrl.href], {
    // Nothing is read from its standard error: what an engine prints there can quote the file.
    stdio: ["pipe", "pipe", "ignore"],
    env: {},
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const die = once((reason) => {
    end();
    onDeath(reason);
  });
  const read = createPipeReader(onReply);
  // Typed as mere streams; at run time the pipes of a child are sockets, though not on Bun.
  const handles = [child, child.stdin, child.stdout] as unknown as Held[];
  child.stdout.on("data", (chunk: Uint8Array) => {
    try {
      read(chunk);
    } catch {
      child.kill("SIGKILL");
      die("an unreadable reply");
    }
  });
  // A worker that dies while it is written to is told by its exit.
  child.stdin.on("error", () => {});
  child.on("error", (error) => die(nameDeath(error)));
  child.on("exit", (code, signal) => die(signal ?? `exit code ${code}`));
  return {
    post(value) {
      const parts = pipeParts(value);
      const given = buffersGiven(parts);
      let left = parts.length;
      const free = () => given.forEach((buffer) => buffer.detached || buffer.transfer(0));
      for (const part of parts) child.stdin.write(part, () => void (--left === 0 && free()));
    },
    hold: (isBusy) => handles.forEach((handle) => (isBusy ? handle.ref?.() : handle.unref?.())),
    kill() {
      // Whoever waits for the end has to live until then.
      child.ref();
      child.kill("SIGKILL");
      return ended;
    },
  };
}

function listFlags(heapMegabytes: number | undefined): string[] {
  const heap = heapMegabytes ? [`--max-old-space-size=${heapMegabytes}`] : [];
  if (process.versions["bun"]) return [];
  if (!process.versions["deno"]) return heap;
  // A process there inherits the environment whatever `env` says, so it is hidden; a library may ask for it.
  const permissions = ["--no-prompt", "--allow-read", "--ignore-env"];
  const v8Flags = heap.map((flag) => `--v8-flags=${flag}`);
  return ["run", "--quiet", "--no-lock", ...permissions, ...v8Flags];
}

type Held = { ref?(): void; unref?(): void };

function nameDeath(error: unknown): string {
  // A code such as ERR_WORKER_OUT_OF_MEMORY or ENOENT; never the message.
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : describeError(error).name;
}

function once(action: (reason: string) => void): (reason: string) => void {
  let isDone = false;
  return (reason) => {
    if (isDone) return;
    isDone = true;
    action(reason);
  };
}
