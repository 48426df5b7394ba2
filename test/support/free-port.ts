import { createServer, type AddressInfo } from "node:net";

/** A port that nobody listens on, for what has to know its own before it starts. */
export async function freePort(): Promise<number> {
  const socket = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => socket.once("listening", resolve));
  const { port } = socket.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => socket.close(resolve));
  return port;
}
