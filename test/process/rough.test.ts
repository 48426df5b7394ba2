import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRuntimes } from "../runtimes.ts";
import { startServer, type RunningServer } from "./server.ts";

describe.each(findRuntimes())("on $name", (runtime) => {
  let server: RunningServer;
  beforeAll(async () => void (server = await startServer(runtime)));
  afterAll(() => server.stop());

  /** Sends bytes as they are and gives back all that comes until the server hangs up. */
  async function send(lines: readonly string[], { thenEnd = false } = {}): Promise<string> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => void chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("end", () => socket.end());
    socket.write(lines.join("\r\n"));
    if (thenEnd) socket.end();
    await once(socket, "close");
    return Buffer.concat(chunks).toString();
  }

  test("answers a client of HTTP/1.0 that names no host", async () => {
    expect(await send(["GET /healthz HTTP/1.0", "", ""])).toMatch(
      /^HTTP\/1\.[01] 200 [^]*\{"status":"ok"\}$/,
    );
  });

  test.each(["evil:99999", "[::1"])("answers the host %s without the words of any library", async (host) => {
    const path = "/api/tools/pdf-rotate?password=canary";
    const answer = await send([`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", "", ""]);
    expect(answer).toMatch(/^HTTP\/1\.1 4/);
    expect(answer.toLowerCase()).toContain("request-id: ");
    expect(answer + server.output()).not.toContain("canary");
  });

  test("writes no fault for an upload that breaks off", async () => {
    const head = ["Host: a", "Content-Length: 50", "", "hello"];
    for (const path of ["/", "/api/tools/file-hash", "/api/tools/pdf-rotate", "/trpc/tools.fileHash"]) {
      const answer = await send([`POST ${path} HTTP/1.1`, ...head], { thenEnd: true });
      expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
    }
    expect(server.output()).not.toContain('"fault"');
  });
});
