import { connect, type Socket } from "node:net";

/** A POST of JSON, or a GET where there is no body, as from an address. */
export interface Call {
  readonly path: string;
  readonly body?: object;
  readonly from: string;
}

export interface Load {
  readonly perSecond: number;
  /** The bodies of the answers, in the order of the calls. */
  readonly bodies: string[];
  /** How long each took. */
  readonly milliseconds: number[];
}

/**
 * Sends all calls over kept connections, each waiting for its answer before the next. Written on bare sockets: a
 * client as heavy as the server would measure itself.
 */
export async function sendAll(
  calls: readonly Call[],
  {
    urls,
    connections,
    status,
    paceMs = 0,
  }: { urls: readonly string[]; connections: number; status: number; paceMs?: number },
): Promise<Load> {
  const bodies: string[] = [];
  const milliseconds: number[] = [];
  let next = 0;
  const lane = async (_: unknown, i: number) => {
    const wire = openWire(urls[i % urls.length]!);
    for (let at = next++; at < calls.length; at = next++) {
      if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
      const start = performance.now();
      const answer = await wire.send(calls[at]!);
      milliseconds[at] = performance.now() - start;
      if (!answer.startsWith(`HTTP/1.1 ${status}`)) throw new Error(`Not ${status}: ${answer}`);
      bodies[at] = answer.slice(answer.indexOf("\r\n\r\n") + 4);
    }
    wire.end();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  return { perSecond: (1000 * calls.length) / (performance.now() - started), bodies, milliseconds };
}

export interface Wire {
  readonly send: (call: Call) => Promise<string>;
  readonly end: () => void;
}

export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let fail: (error: Error) => void = () => {};
  socket.on("error", (error) => fail(error));
  const send = ({ path, body, from }: Call) => {
    const text = body ? JSON.stringify(body) : "";
    const method = body ? "POST" : "GET";
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n`;
    const answer = new Promise<string>((resolve, reject) => {
      fail = reject;
      readAnswer(socket, resolve);
    });
    socket.write(`${head}x-forwarded-for: ${from}\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
    return answer;
  };
  return { send, end: () => socket.destroy() };
}

function readAnswer(socket: Socket, tell: (answer: string) => void): void {
  let text = "";
  const read = (data: Buffer) => {
    text += data.toString("latin1");
    if (!isWhole(text)) return;
    socket.off("data", read);
    tell(text);
  };
  socket.on("data", read);
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const [, length] = /content-length: (\d+)/i.exec(text.slice(0, end + 2)) ?? [];
  return length === undefined ? text.endsWith("0\r\n\r\n") : text.length >= end + 4 + Number(length);
}

let callers = 0;

/** Every call from an address of its own: the limits are met and counted, and let it through. */
export function freshAddress(): string {
  callers++;
  return `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`;
}
