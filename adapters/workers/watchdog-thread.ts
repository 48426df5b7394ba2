// A thread of its own (watchdog.ts starts it), because nothing in a loop that stands still can end it.
import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";

const TICK_MS = 1000;
/** Of this thread, in which the loop has not gone on. */
const STUCK_TICKS = 10;
/** What could not end with a code by then is killed. */
const LAST_TICKS = STUCK_TICKS + 3;
/** EX_SOFTWARE (sysexits.h): an internal error was found. */
const EXIT_CODE = 70;

// What starts this thread gives it the counter that the loop raises.
const beats = workerData as Int32Array;
let [seen, ticks] = [Atomics.load(beats, 0), 0];

setInterval(() => {
  const now = Atomics.load(beats, 0);
  ticks = now === seen ? ticks + 1 : 0;
  seen = now;
  if (ticks === STUCK_TICKS) void end();
  if (ticks === LAST_TICKS) process.kill(process.pid, "SIGKILL");
}, TICK_MS);

async function end(): Promise<void> {
  const fault = { requestId: "process", name: "EventLoopStuck", code: "event_loop_stuck", frames: [] };
  const line = { time: new Date().toISOString(), event: "fault", ...fault };
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } catch {
    // Nobody reads it any more, or not now.
  }
  try {
    await (process.versions.deno || process.versions.bun ? endBySystem() : endByInspector());
  } catch {
    // Killed with the last tick, without a code of its own.
  }
}

/**
 * `process.exit` in a thread of Node ends that thread alone. The inspector has the main thread run a line wherever in
 * JavaScript it stands; what stands in native code is killed. Its own remark, that it waits for a debugger, is kept
 * from the log.
 */
function endByInspector(): void {
  const session = new Session();
  session.connectToMainThread();
  const expression = `process.getBuiltinModule("node:fs").closeSync(2); process.exit(${EXIT_CODE})`;
  session.post("Runtime.evaluate", { expression });
}

/** Deno 2.9 and Bun 1.4 end a thread alone too, but can call the C library, whose `_exit` ends the process. */
async function endBySystem(): Promise<void> {
  const library = { linux: "libc.so.6", darwin: "libSystem.dylib", win32: "msvcrt.dll" };
  const path = library[process.platform as keyof typeof library];
  const { Deno } = globalThis as { Deno?: Foreign };
  if (Deno)
    return Deno.dlopen(path, { _exit: { parameters: ["i32"], result: "void" } }).symbols._exit(EXIT_CODE);
  // A name that the types of Node do not know.
  const name = "bun:ffi";
  const bun = (await import(name)) as Foreign;
  bun.dlopen(path, { _exit: { args: ["i32"], returns: "void" } }).symbols._exit(EXIT_CODE);
}

/** What is called of both runtimes. */
interface Foreign {
  dlopen(path: string, functions: object): { symbols: { _exit(code: number): void } };
}
