import { expect, test } from "vitest";
import { describeEach } from "../../machine/skips.ts";
import { withProcess } from "../../process/support/with-process.ts";
import { ATTACKER, headOf, openSocket } from "./attack.ts";

const MIB = 1024 * 1024;
/** One address has sixty calls in a quarter of an hour. */
const EACH = { interval: 500 };

// Larger than what the system buffers of an answer on its way.
const FILE = Buffer.alloc(20 * MIB, 7);

describeEach("on $name", (runtime) => {
  const server = withProcess(runtime, { TRUST_PROXY: "1", MEMORY_BUDGET: "1GiB" });

  const password = async (address = ATTACKER) => {
    const headers = { "x-forwarded-for": address };
    const response = await fetch(`${server.url}/api/tools/password`, { headers });
    return response.ok ? "answered" : ((await response.json()) as { code: string }).code;
  };

  test("a call lasts until its answer was taken, or its caller has left", async () => {
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
    expect(await password()).toBe("too_many_concurrent");
    left.abort();
    await expect.poll(() => password(), EACH).toBe("answered");
  });

  test("memory is given for what has come, not for what was announced", async () => {
    const over = new AbortController();
    const target = { url: server.url, signal: over.signal, most: 40 };
    // Forty bodies of 25 MB for a tool that needs twelve times as much, two from each address.
    const addresses = Array.from({ length: 20 }, (_, i) => `198.51.100.${i}`);
    for (const address of [...addresses, ...addresses]) {
      const headers = { "content-length": String(25 * MIB), "x-forwarded-for": address };
      openSocket(target).write(headOf({ path: "/api/tools/pdf-rotate", headers }) + "%PDF");
    }
    // The third call of an address is refused once the server has come to the two.
    const refused = addresses.map(() => "too_many_concurrent");
    await expect
      .poll(() => Promise.all(addresses.map((address) => password(address))), EACH)
      .toEqual(refused);
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
