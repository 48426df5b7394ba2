// slow
import { expect, test } from "vitest";
import { describeEach } from "../../machine/skips.ts";
import { withProcess } from "../../process/support/with-process.ts";
import { ATTACKER, headOf, openSocket } from "./attack.ts";

const MIB = 1024 * 1024;

// Larger than what the system buffers of an answer on its way.
const FILE = Buffer.alloc(20 * MIB, 7);

describeEach("on $name", (runtime) => {
  const server = withProcess(runtime, { TRUST_PROXY: "1", MEMORY_BUDGET: "1GiB" });

  const password = async () => {
    const headers = { "x-forwarded-for": ATTACKER };
    const response = await fetch(`${server.url}/api/tools/password`, { headers });
    return response.status;
  };

  test("a call lasts until its answer was taken, or its caller has left", { timeout: 60_000 }, async () => {
    const left = new AbortController();
    const target = { url: server.url, signal: left.signal, most: 2 };
    const headers = { "content-length": String(FILE.length) };
    const sockets = [openSocket(target), openSocket(target)];
    const answers = sockets.map(
      (socket) => new Promise((resolve) => void socket.once("data", () => resolve(socket.pause()))),
    );
    for (const socket of sockets) {
      socket.write(headOf({ path: "/api/tools/file-encrypt?password=p", headers }));
      socket.write(FILE);
    }
    await Promise.all(answers);
    expect(await password()).toBe(429);
    left.abort();
    await expect.poll(password, { timeout: 20_000 }).toBe(200);
  });

  test("memory is given for what has come, not for what was announced", async () => {
    const over = new AbortController();
    const target = { url: server.url, signal: over.signal, most: 40 };
    // Forty bodies of 25 MB for a tool that needs twelve times as much, each from another address.
    for (let i = 0; i < 40; i++) {
      const headers = { "content-length": String(25 * MIB), "x-forwarded-for": `198.51.100.${i}` };
      openSocket(target).write(headOf({ path: "/api/tools/pdf-rotate", headers }) + "%PDF");
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    const response = await fetch(`${server.url}/api/tools/file-hash`, { method: "POST", body: "x" });
    expect(response.status).toBe(200);
    over.abort();
  });

  test("a large answer arrives whole", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9", accept: "application/json" };
    const path = `${server.url}/api/tools/file-encrypt?password=p`;
    const body = FILE.subarray(0, 5 * MIB);
    const response = await fetch(path, { method: "POST", headers, body });
    const { size, data } = (await response.json()) as { size: number; data: string };
    expect(Buffer.from(data, "base64").length).toBe(size);
    const raw = await fetch(path, { method: "POST", headers: { ...headers, accept: "*/*" }, body });
    expect((await raw.arrayBuffer()).byteLength).toBe(size);
  });
});
