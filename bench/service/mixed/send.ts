import type { MixedRequest } from "./requests.ts";

/** What came of requests: how often each status, 0 for a broken connection. */
export type Statuses = Map<number, number>;

const PATIENCE_MS = 120_000;
/** Requests without an answer yet; what would come on top is not sent, as a proxy in front would refuse it. */
const MOST_OPEN = 256;
const ADDRESSES = 2000;

/** Whether a server that is full may answer so. */
export function isAllowed(status: number): boolean {
  return (status >= 200 && status < 300) || [410, 413, 429, 503].includes(status);
}

/** Somebody's requests, from many addresses. */
export class Senders {
  readonly statuses: Statuses = new Map();
  /** Which other codes, and which failures of a connection, came from where. */
  readonly refusals = new Set<string>();
  readonly #url: string;
  readonly #next: () => MixedRequest;
  #open = 0;
  /** Created secrets, each of which is read twice. */
  readonly #secrets: { id: string; key: string }[] = [];

  constructor(url: string, next: () => MixedRequest) {
    this.#url = url;
    this.#next = next;
  }

  /** So many clients, each one request after the other; requests that were answered in a second. */
  async measureCapacity(clients: number, seconds: number): Promise<number> {
    const start = performance.now();
    let answered = 0;
    const client = async () => {
      while (performance.now() - start < seconds * 1000) {
        await this.#send(this.#next());
        answered++;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return (1000 * answered) / (performance.now() - start);
  }

  /** Sends a number of calls a second for a time, whether they are answered or not. */
  async sendFor(seconds: number, perSecond: number): Promise<void> {
    const start = performance.now();
    let sent = 0;
    while (performance.now() - start < seconds * 1000) {
      const due = ((performance.now() - start) / 1000) * perSecond;
      for (; sent < due; sent++) if (this.#open < MOST_OPEN) void this.#send(this.#next());
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async settled(): Promise<void> {
    while (this.#open > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async #send({ path, body, headers = {} }: MixedRequest): Promise<void> {
    this.#open++;
    const host = Math.floor(Math.random() * ADDRESSES);
    const from = { "x-forwarded-for": `10.7.${host >> 8}.${host & 255}` };
    const method = body === undefined ? "GET" : "POST";
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const sent = { method, headers: { ...headers, ...from }, signal, ...(body && { body }) };
      const response = await fetch(this.#url + path, sent);
      const bytes = await response.arrayBuffer();
      this.#count(response.status);
      if (!isAllowed(response.status)) this.#explain(path, bytes);
      if (path === "/api/secrets" && response.status === 201) this.#remember(bytes);
    } catch (error) {
      this.#count(0);
      this.refusals.add(`${nameFailure(error)} at ${path}`);
    } finally {
      this.#open--;
    }
    const secret = this.#secrets.pop();
    if (secret) await this.#read(secret);
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  #explain(path: string, bytes: ArrayBuffer): void {
    const [, code = ""] = /"code":"(\w+)"/.exec(Buffer.from(bytes).toString("utf8", 0, 1000)) ?? [];
    this.refusals.add(`${code} at ${path}`);
  }

  #remember(bytes: ArrayBuffer): void {
    // The server's own answer.
    this.#secrets.push(JSON.parse(Buffer.from(bytes).toString()) as { id: string; key: string });
  }

  async #read({ id, key }: { id: string; key: string }): Promise<void> {
    const headers = { "content-type": "application/json" };
    const reveal = { path: `/api/secrets/${id}/reveal`, headers, body: JSON.stringify({ key }) };
    await this.#send(reveal);
    await this.#send(reveal);
  }
}

function nameFailure(error: unknown): string {
  const { name, cause } = error instanceof Error ? error : new Error();
  return cause instanceof Error && "code" in cause ? String(cause.code) : name;
}
