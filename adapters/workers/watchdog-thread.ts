// A separate thread (started by watchdog.ts), because nothing in a blocked event loop can end it.
import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";

const TICK_MS = 1000;
/** Ticks of this thread without progress of the event loop. */
const STUCK_TICKS = 10;
/** A process that could not exit with a code by then is killed. */
const LAST_TICKS = STUCK_TICKS + 3;
/** EX_SOFTWARE (sysexits.h): an internal error was found. */
const EXIT_CODE = 70;

// The starting thread passes the counter that the event loop increments.
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
    // Killed by the last tick, without an exit code.
  }
}

/**
 * `process.exit` in a thread of Node ends only that thread. The inspector makes the main thread run a line wherever in
 * JavaScript it is; a process in native code is killed. The inspector's own message, that it waits for a debugger, is
 * kept out of the log.
 */
function endByInspector(): void {
  const session = new Session();
  session.connectToMainThread();
  const expression = `process.getBuiltinModule("node:fs").closeSync(2); process.exit(${EXIT_CODE})`;
  session.post("Runtime.evaluate", { expression });
}

/** Deno 2.9 and Bun 1.4 end only the thread too, but can call the C library, whose `_exit` ends the process. */
async function endBySystem(): Promise<void> {
  const library = { linux: "libc.so.6", darwin: "libSystem.dylib", win32: "msvcrt.dll" };
  const path = library[process.platform as keyof typeof library];
  const { Deno } = globalThis as { Deno?: ForeignFunctions };
  if (Deno)
    return Deno.dlopen(path, { _exit: { parameters: ["i32"], result: "void" } }).symbols._exit(EXIT_CODE);
  // Node's types do not know this name.
  const name = "bun:ffi";
  const bun = (await import(name)) as ForeignFunctions;
  bun.dlopen(path, { _exit: { args: ["i32"], returns: "void" } }).symbols._exit(EXIT_CODE);
}

/** The part of Deno and of bun:ffi that is used here. */
interface ForeignFunctions {
  dlopen(path: string, functions: object): { symbols: { _exit(code: number): void } };
}
