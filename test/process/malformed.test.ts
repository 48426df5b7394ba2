// process
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { describeEach, testIf } from "../machine/skips.ts";
import type { Runtime } from "../support/runtimes.ts";
import { withProcess } from "./support/with-process.ts";

describeEach("on $name", sendMalformed);

/** Also where the server does not read the rest, for which the system resets the connection. */
function closed(socket: Socket): Promise<void> {
  socket.on("error", () => {});
  return new Promise((resolve) => void socket.once("close", () => resolve()));
}

function sendMalformed(runtime: Runtime): void {
  const server = withProcess(runtime);

  /** Sends bytes as they are and gives back all that comes until the server hangs up. */
  async function send(lines: readonly string[], { thenEnd = false } = {}): Promise<string> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => void chunks.push(chunk));
    socket.on("end", () => socket.end());
    socket.write(lines.join("\r\n"));
    if (thenEnd) socket.end();
    await closed(socket);
    return Buffer.concat(chunks).toString();
  }

  /** What the server has printed, at least until the line of a call that comes now. */
  async function printed(): Promise<string> {
    const { headers } = await fetch(`${server.url}/healthz`);
    await expect.poll(server.output).toContain(headers.get("request-id") ?? "a request-id");
    return server.output();
  }

  function post(path: string, fields: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return fetch(server.url + path, { method: "POST", body: JSON.stringify(fields), headers });
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
    expect(answer + (await printed())).not.toContain("canary");
  });

  testIf(runtime.name !== "bun", "Bun 1.4 hangs up on it")(
    "answers a method that nobody knows as one that the path does not take",
    async () => {
      const answer = await send(["CANARY /api/tools HTTP/1.1", "Host: a", "Connection: close", "", ""]);
      expect(answer).toMatch(/^HTTP\/1\.1 405 [^]*"code":"method_not_allowed"/);
      for (const header of ["allow: GET, HEAD", "request-id: ", "cache-control: no-store"])
        expect(answer.toLowerCase()).toContain(header.toLowerCase());
      expect(answer).not.toContain("CANARY");
    },
  );

  testIf(runtime.name === "node", "the others answer nothing")(
    "answers what it cannot read with a status",
    async () => {
      const long = `X-Long: ${"a".repeat(40_000)}`;
      expect(await send(["GET / HTTP/1.1", "Host: a", long, "", ""])).toMatch(/^HTTP\/1\.1 431 /);
      expect(await send(["GET / HTTP/one", "Host: a", "", ""])).toMatch(/^HTTP\/1\.1 400 /);
      const chunked = ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "", "zz", ""];
      expect(await send(chunked)).toMatch(/^HTTP\/1\.1 400 /);
      for (const hosts of [[], ["Host: a", "Host: b"]])
        expect(await send(["GET /healthz HTTP/1.1", ...hosts, "", ""])).toMatch(
          /^HTTP\/1\.1 400 [^]*x-content-type-options: nosniff/,
        );
    },
  );

  test("keeps a secret whose reader hangs up while the passphrase is checked", async () => {
    const passphrase = "right";
    const made = await post("/api/secrets", { content: "hush", passphrase });
    const { id, key } = (await made.json()) as { id: string; key: string };
    const body = JSON.stringify({ key, passphrase });
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const path = `/api/secrets/${id}/reveal`;
    socket.end([`POST ${path} HTTP/1.1`, "Host: a", `Content-Length: ${body.length}`, "", body].join("\r\n"));
    await closed(socket);
    const again = await post(path, { key, passphrase });
    expect(await again.json()).toMatchObject({ content: "hush" });
  });

  testIf(runtime.name === "bun", "only Bun has a limit of its own, with an answer of its own")(
    "refuses a body of 2 GB in its own words",
    async () => {
      const head = ["POST / HTTP/1.1", "Host: a", "Connection: close", "Content-Length: 2000000000", "", "x"];
      expect(await send(head)).toMatch(/^HTTP\/1\.1 413 [^]*"code":"content_too_large"/);
    },
  );

  test("writes no fault for an upload that breaks off", async () => {
    const head = ["Host: a", "Content-Length: 50", "", "hello"];
    for (const path of ["/", "/api/tools/file-hash", "/api/tools/pdf-rotate", "/trpc/tools.fileHash"]) {
      const answer = await send([`POST ${path} HTTP/1.1`, ...head], { thenEnd: true });
      expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
    }
    expect(await printed()).not.toContain('"fault"');
  });
}
