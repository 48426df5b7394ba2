// Guards that Node lacks for its connections. Deno 2.9 handles the requests of a connection one after the other, Bun
// 1.4 closes one whose next request comes too early, and both stop a server without cutting off answers.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { heldBack } from "../trpc/body/request-body.ts";
import { ApiError, errorBody } from "../../router/errors/errors.ts";

/** A client that sends more requests without reading an answer is not a browser or a proxy. */
const MOST_UNANSWERED = 8;
const SAMPLE_MS = 5_000;
/**
 * Samples that are averaged in each direction: 16 KiB a second. A socket's send buffer of 4 MB empties in steps, every
 * 33 seconds for a client that takes 40 KiB/s, so sending is judged over two minutes.
 */
const SAMPLES = { receiving: 6, sending: 24 };
const LEAST_BYTES = (16 * 1024 * SAMPLE_MS) / 1000;

interface Connection {
  readonly unanswered: Set<ServerResponse>;
  /** A request whose answer was sent before its whole body had come. */
  answeredEarly: IncomingMessage | undefined;
  direction: keyof typeof SAMPLES | undefined;
  /** Bytes transferred since watching this direction began, newest last. */
  samples: number[];
}

/** The connections of a Node server that has its listeners: how many requests each has open, and how fast it is. */
export class Connections {
  readonly #server: Server;
  /** Headers of every answer. */
  readonly #base: Headers;
  readonly #open = new Map<Socket, Connection>();
  readonly #timer: NodeJS.Timeout;

  constructor(server: Server, base: Headers) {
    this.#server = server;
    this.#base = base;
    server.on("connection", (socket: Socket) => this.#add(socket));
    server.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Socket) => this.#refuse(socket, code));
    this.#standBefore(server.listeners("request"));
    server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
      continueWhenRead(request, response);
      server.emit("request", request, response);
    });
    // Unknown expectations may be ignored (RFC 9110, 10.1.1), as Deno and Bun do; Node's own answer has no headers of
    // ours.
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    this.#timer = setInterval(() => this.#endSlow(), SAMPLE_MS);
    this.#timer.unref();
  }

  /** Takes no more connections; resolves when the existing ones have ended. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    // Node's own close() destroys connections whose answer is written but not yet sent (Node 24: `finished` is taken
    // for sent), so only its listening part is called.
    return new Promise((resolve) => void NetServer.prototype.close.call(this.#server, () => resolve()));
  }

  /** Closes idle connections, once everything written to them is sent. */
  endIdle(): void {
    for (const [socket, { unanswered }] of this.#open) if (unanswered.size === 0) socket.destroySoon();
  }

  #add(socket: Socket): void {
    this.#open.set(socket, {
      unanswered: new Set(),
      answeredEarly: undefined,
      direction: undefined,
      samples: [],
    });
    socket.once("close", () => this.#open.delete(socket));
  }

  // Like Node without a listener, but with our own answer.
  #refuse(socket: Socket, code?: string): void {
    const unanswered = [...(this.#open.get(socket)?.unanswered ?? [])];
    const isBegun = unanswered.some(({ headersSent }) => headersSent);
    if (socket.writable && !isBegun) socket.write(refuseUnparsed(code, this.#base));
    socket.destroySoon();
  }

  // Node reads all requests of a packet at once, even when the first of them has closed the connection.
  #standBefore(listeners: readonly Function[]): void {
    this.#server.removeAllListeners("request");
    this.#server.on("request", (request, response) => {
      if (!this.#admit(request, response)) return;
      for (const listener of listeners) Reflect.apply(listener, this.#server, [request, response]);
    });
  }

  #admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const connection = this.#open.get(socket);
    if (!connection || socket.destroyed) return false;
    // RFC 9112, 3.2. Node's own answer has no headers of ours.
    const hosts = request.headersDistinct.host?.length ?? 0;
    if (hosts > 1 || (hosts === 0 && request.httpVersion === "1.1")) {
      this.#refuse(socket);
      return false;
    }
    const { unanswered } = connection;
    unanswered.add(response);
    response.once("close", () => {
      unanswered.delete(response);
      connection.answeredEarly = request;
    });
    if (unanswered.size > MOST_UNANSWERED) socket.destroy();
    return !socket.destroyed;
  }

  #endSlow(): void {
    for (const [socket, connection] of this.#open) {
      const { direction, through } = watchTransfer(socket, connection);
      if (direction !== connection.direction) connection.samples = [];
      connection.direction = direction;
      if (direction === undefined) continue;
      const most = SAMPLES[direction];
      connection.samples = [...connection.samples.slice(-most), through];
      const [first = 0] = connection.samples;
      if (connection.samples.length > most && through - first < LEAST_BYTES * most) socket.destroy();
    }
  }
}

// Node's own server asks for the body at once. Here it is asked for when it is first read, which never happens for a
// call that is refused by its head; Node closes the connection after such an answer.
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request);
  heldBack.add(request);
  request._read = (size) => {
    request._read = read;
    heldBack.delete(request);
    // After an answer Node reads what may still come, to drop it.
    if (!response.headersSent) response.writeContinue();
    read(size);
  };
}

// The bytes in both directions, and what the client has to do: send the body that we want to read, or take what the
// system could send. No direction while the client waits for us.
function watchTransfer(
  socket: Socket,
  { unanswered, answeredEarly }: Connection,
): { direction: Connection["direction"]; through: number } {
  const { bytesRead, bytesWritten, writeQueueSize } = readHandle(socket);
  const [response] = unanswered;
  const through = bytesRead + bytesWritten - writeQueueSize;
  if (response === undefined) {
    // Nobody needs what comes after an answer.
    const isComing = answeredEarly && !answeredEarly.complete;
    return { direction: isComing ? "receiving" : undefined, through };
  }
  const { req: request } = response;
  const isUploading = !request.complete && request.readableLength === 0 && !socket.isPaused();
  if (isUploading) return { direction: "receiving", through };
  return { direction: writeQueueSize > 0 ? "sending" : undefined, through };
}

// Only the handle knows how much of a large write was sent; the socket counts all of it at once.
function readHandle(socket: Socket): { bytesRead: number; bytesWritten: number; writeQueueSize: number } {
  const handle: unknown = Reflect.get(socket, "_handle");
  const read = (name: string) => {
    const value: unknown = typeof handle === "object" && handle ? Reflect.get(handle, name) : 0;
    return typeof value === "number" ? value : 0;
  };
  return {
    bytesRead: read("bytesRead"),
    bytesWritten: read("bytesWritten"),
    writeQueueSize: read("writeQueueSize"),
  };
}

/** Node's own statuses for what its parser refuses otherwise than as a bad request. */
const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

const ALLOWED = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];

/**
 * The answer, as bytes of HTTP/1.1, where Node's parser has made no request; `base` are headers of every answer. Pages
 * of other origins may read all of it. The parser accepts about thirty methods and no others; Deno 2.9 passes those on,
 * to be refused by their path, while Bun 1.4 closes the connection.
 */
export function refuseUnparsed(code: string | undefined, base: Headers): string {
  const said = [...base, ["Access-Control-Allow-Origin", "*"]].map(([name, value]) => `${name}: ${value}`);
  if (code !== "HPE_INVALID_METHOD") return bare(STATUSES[code ?? ""] ?? "400 Bad Request", said);
  const requestId = crypto.randomUUID();
  const message = `The service takes ${ALLOWED.join(", ")} and no other method`;
  const error = new ApiError("method_not_allowed", message, { allowed: ALLOWED });
  const text = JSON.stringify(errorBody(error, requestId));
  const headers = [
    `Allow: ${ALLOWED.join(", ")}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${text.length}`,
    `Request-Id: ${requestId}`,
    ...said,
  ];
  return bare("405 Method Not Allowed", headers) + text;
}

function bare(status: string, headers: readonly string[]): string {
  return [`HTTP/1.1 ${status}`, ...headers, "Connection: close", "", ""].join("\r\n");
}
