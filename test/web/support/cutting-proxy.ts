import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A way to a server whose connection breaks in the middle of some answers. */
export interface CuttingProxy {
  readonly url: string;
  /** What was asked for with a range. */
  readonly ranges: string[];
  readonly close: () => Promise<void>;
}

interface Cuts {
  /** The answers that may break. */
  readonly path: RegExp;
  /** So many bytes arrive of the first one, the second one, and so on; the next one arrives whole. */
  readonly after: number[];
}

export async function openCuttingProxy(target: string, { path, after }: Cuts): Promise<CuttingProxy> {
  const ranges: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = "/" } = incoming;
    const cutAt = path.test(url) ? after.shift() : undefined;
    if (typeof headers.range === "string") ranges.push(headers.range);
    const onward = request(target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      let sent = 0;
      answer.on("data", (piece: Buffer) => {
        const rest = cutAt === undefined ? piece.length : Math.max(0, cutAt - sent);
        sent += piece.length;
        outgoing.write(piece.subarray(0, rest), () => {
          if (cutAt === undefined || sent < cutAt) return;
          outgoing.destroy();
          // Otherwise the server would go on and have delivered all of it.
          onward.destroy();
        });
      });
      answer.on("end", () => outgoing.end());
      answer.on("error", () => outgoing.destroy());
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, "127.0.0.1", resolve);
  });
  const { port } = proxy.address() as AddressInfo; // it listens on a port
  const close = async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => {
      proxy.close(resolve);
    });
  };
  return { url: `http://localhost:${port}`, ranges, close };
}
