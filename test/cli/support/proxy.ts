import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

export interface Listener {
  readonly port: number;
  readonly close: () => void;
}

/** A proxy that writes down what it was asked for: a tunnel (CONNECT), or a call by its whole address. */
export async function startProxy(
  options: { answers?: string } = {},
): Promise<Listener & { asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (options.answers === undefined) return pass(incoming, outgoing);
    outgoing.writeHead(Number(options.answers.slice(0, 3))).end();
  });
  server.on("connect", ({ url = "" }, near: Socket) => {
    asked.push(`CONNECT ${url}`);
    near.on("error", () => {});
    if (options.answers !== undefined) return void near.end(`HTTP/1.1 ${options.answers}\r\n\r\n`);
    const far = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      near.pipe(far).pipe(near);
    });
    sockets.add(far.on("error", () => near.destroy()));
  });
  server.on("connection", (socket: Socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  };
  return { asked, port: portOf(server), close };
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { port, pathname, search } = new URL(incoming.url ?? "");
  const { method, headers } = incoming;
  const onward = request({ host: "127.0.0.1", port, path: pathname + search, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(onward.on("error", () => outgoing.destroy()));
}

/** TLS before a server that has none, whose port `to` knows when the first call comes. */
export async function startTls(
  pair: { key: Buffer; cert: Buffer },
  { to }: { to: () => number },
): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createTlsServer(pair, (near) => {
    const far = connect(to(), "127.0.0.1");
    for (const socket of [near, far]) sockets.add(socket.on("error", () => {}));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  };
  return { port: portOf(server), close };
}

// Listening on a port, a server has the address of one.
function portOf(server: { address: () => unknown }): number {
  return (server.address() as AddressInfo).port;
}
