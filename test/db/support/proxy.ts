import { createServer, connect, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A wire between a database and those who use it, which a test can cut and mend. */
export interface Wire {
  url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Carries nothing more on the connections that stand, and ends none: what a lost network looks like. */
  hold(): void;
  /** Holds those that are made later, too, until the wire is mended. */
  lose(): void;
  /** Takes new connections again, without the old ones. */
  mend(): Promise<void>;
}

/** Lays a wire to the server of this URL, on a port of its own. */
export async function layWire(url: string): Promise<Wire> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const watch = (socket: Socket) => {
    sockets.add(socket);
    // A cut connection gives an error at its other end, as it should.
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  let isLost = false;
  const server = createServer((near) => {
    if (isLost) return void watch(near).pause();
    const far = watch(connect(Number(target.port || 5432), target.hostname));
    watch(near).pipe(far).pipe(near);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  const port = await listen(server, 0);
  const wire = new URL(url);
  wire.host = `127.0.0.1:${port}`;
  const hold = () => sockets.forEach((socket) => socket.unpipe() && socket.pause());
  const end = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: wire.href,
    cut: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      end();
      await closed;
    },
    hold,
    lose: () => {
      isLost = true;
      hold();
    },
    mend: async () => {
      isLost = false;
      end();
      if (!server.listening) await listen(server, port);
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // Listening on a port, a server has the address of one.
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
