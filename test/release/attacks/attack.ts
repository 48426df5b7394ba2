import { connect, type Socket } from "node:net";

/** Where an attack comes from: the server is told to believe one proxy. */
export const ATTACKER = "203.0.113.66";

/** One caller with a laptop: `run` sends what it has until the signal fires, and answers nothing. */
export interface Attack {
  readonly name: string;
  /** What it tries to take from the others. */
  readonly aims: string;
  readonly run: (target: Target) => Promise<void>;
}

export interface Target {
  readonly url: string;
  /** Fires when the attack has lasted long enough. */
  readonly signal: AbortSignal;
  /** Requests at most, however long it lasts. */
  readonly most: number;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
}

/** Sends one request as the attacker; whatever comes of it, also nothing, is fine. */
export async function send({ url, signal }: Target, { method = "POST", path, headers, body }: Sent) {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { "x-forwarded-for": ATTACKER, ...headers },
      signal,
      ...(body === undefined ? {} : { body }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** So many senders at once, each one request after the other. */
export async function flood(
  target: Target,
  { senders, request }: { senders: number; request: (index: number) => Sent },
): Promise<void> {
  let next = 0;
  const sender = async () => {
    while (!target.signal.aborted && next < target.most) await send(target, request(next++));
  };
  await Promise.all(Array.from({ length: senders }, sender));
}

/** A bare connection, for requests that no HTTP client would send; closed when the attack ends. */
export function openSocket({ url, signal }: Target): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => socket.destroy());
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  return socket;
}

/** The head of a request as the attacker writes it. */
export function headOf({ method = "POST", path, headers = {} }: Omit<Sent, "body">): string {
  const lines = Object.entries({ host: "localhost", "x-forwarded-for": ATTACKER, ...headers });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

/** Waits until the attack has lasted long enough. */
export function untilOver({ signal }: Target): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
