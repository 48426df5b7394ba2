// process
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { promisify } from "node:util";
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
  const connections = new Connections(server, new Headers());
  const accepted: Socket[] = [];
  server.on("connection", (socket) => accepted.push(socket));
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
  /** The server's end, which is destroyed as soon as the server decides so. */
  const farEnd = ({ localPort }: Socket) => accepted.find(({ remotePort }) => remotePort === localPort);
  return { connections, open, farEnd };
}

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n";
/** Of the real clock, beside that of the test. */
const pause = promisify(setTimeout);

/** Waits for something; `expect.poll` with an interval would move the clock of the test by it. */
function poll<T>(look: () => T) {
  return expect.poll(async () => (await pause(5), look()), { interval: 0 });
}

/** Takes samples for so many seconds, doing something before each. */
async function pass(seconds: number, before: () => Promise<unknown> | void = () => {}): Promise<void> {
  for (let at = 0; at < seconds; at += 5) {
    await before();
    vi.advanceTimersByTime(5_000);
  }
}

/** Sends bytes and waits until the server has read them, or has ended the connection. */
async function upload(socket: Socket, { far, bytes }: { far: Socket | undefined; bytes: number }) {
  if (socket.writable) socket.write(Buffer.alloc(bytes));
  const isOver = () => far?.destroyed === true || far?.bytesRead === socket.bytesWritten;
  await poll(isOver).toBe(true);
}

/** Waits until the buffers of both ends are full of an answer that nobody takes. */
async function fillBuffers(far: () => Socket | undefined): Promise<void> {
  let last = -1;
  const isFull = () => {
    const handle: unknown = far() && Reflect.get(far() ?? {}, "_handle");
    const waiting = Number(handle && Reflect.get(handle, "writeQueueSize"));
    const isSame = waiting === last;
    last = waiting;
    return isSame && waiting > 0;
  };
  await poll(isFull).toBe(true);
}

testIf(isNode, "only Node needs it")("a connection may have eight unanswered requests", async () => {
  const held: ServerResponse[] = [];
  const { open } = await start((_, response) => void held.push(response));
  let text = "";
  const socket = open().on("data", (data) => (text += String(data)));
  socket.write(get.repeat(8));
  await poll(() => held.length).toBe(8);
  for (const response of held) response.end("answered");
  await poll(() => text.match(/answered/g)?.length).toBe(8);
});

testIf(isNode, "only Node needs it")("a connection with nine unanswered requests is ended", async () => {
  let asked = 0;
  const { open } = await start(() => void asked++);
  const socket = open().resume();
  socket.write(get.repeat(9));
  await poll(() => socket.closed).toBe(true);
  expect(asked).toBe(8);
});

testIf(isNode, "only Node needs it")(
  "a flood of requests in one packet reaches nobody behind the first eight",
  async () => {
    let asked = 0;
    const { open } = await start(() => void asked++);
    const socket = open();
    socket.write(get.repeat(500));
    await poll(() => socket.closed).toBe(true);
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
  let asked = 0;
  const { open, farEnd } = await start((request) => void (request.resume(), asked++));
  const socket = open().resume();
  socket.write(post);
  await poll(() => asked).toBe(1);
  const far = farEnd(socket);
  await pass(45, () => upload(socket, { far, bytes: size }));
  expect(far?.destroyed).toBe(isEnded);
});

testIf(isNode, "only Node needs it")("an upload that we do not read yet is waited for", async () => {
  let unread = () => 0;
  const { open, farEnd } = await start((request) => void (unread = () => request.readableLength));
  const socket = open().resume();
  socket.write(post);
  socket.write(Buffer.alloc(2_000_000));
  await poll(() => unread()).toBeGreaterThan(0);
  await pass(60);
  expect(farEnd(socket)?.destroyed).toBe(false);
});

testIf(isNode, "only Node needs it")(
  "a download that nobody takes is ended after two minutes, and an answer that takes long is not",
  async () => {
    const asked: string[] = [];
    const { open, farEnd } = await start((request, response) => {
      asked.push(request.url!);
      if (request.url === "/large") response.end(Buffer.alloc(30_000_000));
    });
    const [stuck, waiting] = [open().pause(), open().resume()];
    stuck.write(get.replace("/", "/large"));
    waiting.write(get);
    await poll(() => asked.toSorted()).toEqual(["/", "/large"]);
    const far = farEnd(waiting);
    await fillBuffers(() => farEnd(stuck));
    await pass(135);
    stuck.resume();
    await poll(() => stuck.closed).toBe(true);
    expect(stuck.bytesRead).toBeLessThan(30_000_000);
    expect(far?.destroyed).toBe(false);
  },
);

testIf(isNode, "only Node needs it")(
  "a download of which a send buffer's worth is taken now and then goes on",
  async () => {
    const { open, farEnd } = await start((_, response) => void response.end(Buffer.alloc(60_000_000)));
    const socket = open().pause();
    socket.write(get);
    let taken = 0;
    socket.on("data", ({ length }: Buffer) => {
      taken += length;
      if (taken > 6_000_000) socket.pause();
    });
    // Each takes more than the buffers of both ends hold, so that the server sees bytes leave.
    const takeSome = async () => {
      taken = 0;
      socket.resume();
      await poll(() => taken).toBeGreaterThan(6_000_000);
      await fillBuffers(() => farEnd(socket));
    };
    await fillBuffers(() => farEnd(socket));
    for (let i = 0; i < 4; i++) {
      await pass(60);
      await takeSome();
    }
    await pass(10);
    expect(farEnd(socket)?.destroyed).toBe(false);
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
    await poll(() => asked.toSorted()).toEqual(["/", "/large"]);
    const closed = connections.close();
    // As the server does it until all have ended: an answer is over a moment after it was read.
    await poll(() => (connections.endIdle(), idle.closed)).toBe(true);
    expect(slow.closed).toBe(false);
    slow.resume();
    await poll(() => (connections.endIdle(), slow.closed)).toBe(true);
    expect(slow.bytesRead).toBeGreaterThan(30_000_000);
    await closed;
  },
);

testIf(isNode, "only Node needs it").each(["never", "slowly"])(
  "a body that comes %s behind its answer is not waited for",
  async (how) => {
    const answers: ServerResponse[] = [];
    const { open, farEnd } = await start((_, response) => {
      answers.push(response);
      response.end("too large");
    });
    const socket = open().resume();
    socket.write(post);
    await poll(() => answers[0]?.closed).toBe(true);
    const far = farEnd(socket);
    await pass(40, async () => void (how === "slowly" && (await upload(socket, { far, bytes: 1000 }))));
    await poll(() => socket.closed).toBe(true);
  },
);
