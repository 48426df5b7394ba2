import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below what systems give to connections and to whoever asks for any port, so that one stays free while its server is away. */
const [FROM, TO] = [20_000, 30_000];

/** A port that nobody listens on, for what has to know its own before it starts, or starts again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const socket = createServer();
  return new Promise((resolve) => {
    socket.once("error", () => resolve(false));
    socket.listen(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });
}
