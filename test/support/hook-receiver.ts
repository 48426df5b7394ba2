import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// One for all tests that need a hook and not what it was told: it takes everything, and keeps no program running.
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(204).end());
}).listen(0, "127.0.0.1");
await once(server, "listening");
server.unref();

const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A receiver that takes every call. */
export const HOOK_URL = `http://${host}/in`;
/** Of a service whose members may have hooks there. */
export const HOOK_SETTINGS = { NOTIFY_HOSTS: host };
