import { Server as HttpServer } from "node:http";
import { serve, type Server as SocketServer, type ServerRequest } from "srvx";
import type { Server } from "../service/server.ts";
import { Connections } from "./connections.ts";

const HEADERS_MS = 60_000;
const REQUEST_MS = 600_000;
// Longer than a proxy in front keeps idle connections, so that none uses one that is just being closed.
const KEEP_ALIVE_MS = 75_000;
const HEADER_BYTES = 32 * 1024;
// We count every limit ourselves while the body arrives; Bun's own limit would answer 413 in its own words.
const BODY_BYTES = Number.MAX_SAFE_INTEGER;
const BUN_IDLE_SECONDS = 255;
const CHECK_MS = 50;

/**
 * Serves on Node, Deno or Bun, with the deadlines that each lacks by default. The URL has the port that the system chose
 * for port 0. `stop` accepts no more connections, and waits at most this long for running calls.
 */
export async function listen(
  { app, health, baseHeaders }: Server,
  at: { port: number; host: string },
): Promise<{ url: string; stop: (deadlineMs: number) => Promise<void> }> {
  const running = { calls: 0 };
  const server = serve({
    fetch: (request) => answer(request, { app, health, running }),
    port: at.port,
    hostname: at.host,
    silent: true,
    // Replaced by our own below: srvx's does not end the process, and is off under CI.
    gracefulShutdown: false,
    maxRequestBodySize: BODY_BYTES,
    node: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false,
    },
    bun: { idleTimeout: BUN_IDLE_SECONDS, maxRequestBodySize: BODY_BYTES },
  });
  const connections = watchConnections(server, baseHeaders);
  await server.ready();
  const stop = async (deadlineMs: number) => {
    health.startDraining();
    await end(server, { running, connections, deadlineMs });
  };
  return { url: server.url ?? `http://${at.host}:${at.port}/`, stop };
}

// Node 24 and Bun 1.4 close the connection after such an answer. Deno 2.9 writes the header, leaves closing to the
// client until the listener closes, and omits the header in HTTP/2, where it has no meaning.
async function answer(
  request: ServerRequest,
  { app, health, running }: Pick<Server, "app" | "health"> & { running: { calls: number } },
): Promise<Response> {
  running.calls++;
  try {
    const response = await app.fetch(request);
    if (health.isDraining) response.headers.set("Connection", "close");
    return lacksLength(request, response) ? withUnknownLength(response) : response;
  } finally {
    running.calls--;
  }
}

function lacksLength({ method, runtime }: ServerRequest, { status, headers }: Response): boolean {
  return method === "HEAD" && runtime?.name !== "node" && status === 200 && !headers.has("content-length");
}

// For an answer to HEAD without a body, Deno 2.9 and Bun 1.4 say that GET's has no bytes, which RFC 9110, 8.6, forbids.
// Bun 1.4 says so of a stream that is over as soon as it is read, too, unless it is one of bytes.
function withUnknownLength({ status, headers }: Response): Response {
  return new Response(new ReadableStream({ type: "bytes", pull: endBytes }), { status, headers });
}

function endBytes(controller: ReadableByteStreamController): void {
  controller.close();
  controller.byobRequest?.respond(0);
}

function watchConnections({ node }: SocketServer, base: Headers): Connections | undefined {
  return node?.server instanceof HttpServer ? new Connections(node.server, base) : undefined;
}

async function end(
  server: SocketServer,
  options: { running: { readonly calls: number }; connections: Connections | undefined; deadlineMs: number },
): Promise<void> {
  const { running, connections, deadlineMs } = options;
  const last = performance.now() + deadlineMs;
  const isLate = () => performance.now() > last;
  // Deno's shutdown takes bodies away from calls that are still reading them.
  while (server.runtime === "deno" && running.calls > 0 && !isLate()) await pause();
  let ended = false;
  void (connections ?? server).close().then(() => (ended = true));
  while (!ended && !isLate()) {
    // A connection that becomes idle now would keep the server open for its whole timeout.
    connections?.endIdle();
    await pause();
  }
  if (!ended) await Promise.race([server.close(true), pause()]);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, CHECK_MS));
}
