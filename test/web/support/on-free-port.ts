import { freePort } from "../../support/free-port.ts";

const TRIES = 5;

/** Starts what has to know its port beforehand; where another program has taken it meanwhile, on another one. */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (!isPortTaken(error) || tries === TRIES) throw error;
    }
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
