// slow
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, vi } from "vitest";
import { testIf } from "../../machine/skips.ts";
import { Connections } from "../../../adapters/http/connections.ts";

const isNode = !process.versions.bun && !process.versions.deno;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

/** A server on a port of its own, whose samples a test takes by moving the clock. */
async function start(answer: RequestListener) {
  const server = createServer(answer);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const connections = new Connections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  ends.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const open = (): Socket => {
    const socket = connect(port, "127.0.0.1");
    ends.push(() => socket.destroy());
    return socket.on("error", () => {});
  };
  return { connections, open };
}

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n";
const settle = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Takes samples for so many seconds, doing something before each. */
async function pass(seconds: number, before: () => void): Promise<void> {
  for (let at = 0; at < seconds; at += 5) {
    before();
    await settle();
    vi.advanceTimersByTime(5_000);
  }
  await settle();
}

testIf(isNode, "only Node needs it").each([
  [8, false],
  [9, true],
])("a connection with %i unanswered requests is ended: %s", async (count, isEnded) => {
  let asked = 0;
  const { open } = await start(() => void asked++);
  const socket = open();
  socket.write(get.repeat(count));
  await expect.poll(() => asked).toBe(8);
  await settle();
  expect(socket.closed || socket.readableEnded).toBe(isEnded);
});

testIf(isNode, "only Node needs it")(
  "a flood of requests in one packet reaches nobody behind the first eight",
  async () => {
    let asked = 0;
    const { open } = await start(() => void asked++);
    const socket = open();
    socket.write(get.repeat(500));
    await expect.poll(() => socket.closed).toBe(true);
    await settle();
    expect(asked).toBe(8);
  },
);

testIf(isNode, "only Node needs it")(
  "a connection may have any number of requests that are answered",
  async () => {
    const { open } = await start((_, response) => void response.end("ok"));
    const socket = open().resume();
    for (let i = 0; i < 30; i++) {
      socket.write(get);
      await once(socket, "data");
    }
    expect(socket.closed).toBe(false);
  },
);

testIf(isNode, "only Node needs it").each([
  [16 * 1024 * 5 - 1_000, true],
  [16 * 1024 * 5 + 1_000, false],
])("an upload of %i bytes each five seconds is ended: %s", async (size, isEnded) => {
  const { open } = await start((request) => void request.resume());
  const socket = open().resume();
  socket.write(post);
  await pass(45, () => void socket.write(Buffer.alloc(size)));
  expect(socket.closed).toBe(isEnded);
});

testIf(isNode, "only Node needs it")("an upload that we do not read yet is waited for", async () => {
  const { open } = await start(() => {});
  const socket = open().resume();
  socket.write(post);
  socket.write(Buffer.alloc(2_000_000));
  await pass(60, () => {});
  expect(socket.closed).toBe(false);
});

testIf(isNode, "only Node needs it")(
  "a download that nobody takes is ended after two minutes, and an answer that takes long is not",
  async () => {
    const { open } = await start((request, response) => {
      if (request.url === "/large") response.end(Buffer.alloc(30_000_000));
    });
    const [stuck, waiting] = [open().pause(), open().resume()];
    stuck.write(get.replace("/", "/large"));
    waiting.write(get);
    await pass(135, () => {});
    stuck.resume();
    await expect.poll(() => stuck.closed).toBe(true);
    expect(stuck.bytesRead).toBeLessThan(30_000_000);
    expect(waiting.closed).toBe(false);
  },
);

testIf(isNode, "only Node needs it")(
  "a download of which a send buffer's worth is taken now and then goes on",
  async () => {
    const { open } = await start((_, response) => void response.end(Buffer.alloc(60_000_000)));
    const socket = open().pause();
    socket.write(get);
    let taken = 0;
    socket.on("data", ({ length }: Buffer) => {
      taken += length;
      if (taken > 6_000_000) socket.pause();
    });
    // Each takes more than the buffers of both ends hold, so that the server sees bytes leave.
    const takeSome = () => {
      taken = 0;
      socket.resume();
    };
    for (let i = 0; i < 4; i++) {
      await pass(60, () => {});
      takeSome();
    }
    await pass(10, () => {});
    expect(socket.closed).toBe(false);
  },
);

testIf(isNode, "only Node needs it")(
  "the end waits for an answer that is on its way, and for no idle connection",
  async () => {
    const asked: string[] = [];
    const { connections, open } = await start((request, response) => {
      asked.push(request.url!);
      response.end(Buffer.alloc(request.url === "/large" ? 30_000_000 : 1));
    });
    const [idle, slow] = [open().resume(), open().pause()];
    idle.write(get);
    slow.write(get.replace("/", "/large"));
    await expect.poll(() => asked.toSorted()).toEqual(["/", "/large"]);
    const closed = connections.close();
    connections.endIdle();
    await expect.poll(() => idle.closed).toBe(true);
    expect(slow.closed).toBe(false);
    slow.resume();
    await expect.poll(() => (connections.endIdle(), slow.closed)).toBe(true);
    expect(slow.bytesRead).toBeGreaterThan(30_000_000);
    await closed;
  },
);

testIf(isNode, "only Node needs it").each(["never", "slowly"])(
  "a body that comes %s behind its answer is not waited for",
  async (how) => {
    const { open } = await start((_, response) => void response.end("too large"));
    const socket = open().resume();
    socket.write(post);
    await once(socket, "data");
    await pass(40, () => void (how === "slowly" && socket.writable && socket.write("x".repeat(1000))));
    expect(socket.closed).toBe(true);
  },
);
