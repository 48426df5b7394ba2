import { pipeParts, readPipeSync, writePipeSync } from "./pipe.ts";

/** What a worker asks for in the middle of a job, and what it is answered. */
export type MemoryQuestion = { asksBytes: number };
export type Permission = { isGranted: boolean };

/** Asks the server, from a worker process, for memory that only the file's own headers tell; waits for its answer. */
export function askForMemory(asksBytes: number): void {
  writePipeSync(pipeParts({ asksBytes } satisfies MemoryQuestion));
  // Both ends of the pipe are this program, so the shape is known.
  const answer = readPipeSync() as Permission | undefined;
  // The server knows why, and tells the caller.
  if (!answer?.isGranted) throw new Error("The server has no such memory for this call");
}
