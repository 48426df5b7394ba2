import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { end, start, type Driver } from "./driver.ts";

/** Drives Firefox over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), which it speaks by itself. */
export async function openFirefox(command: string): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), "hushkit-"));
  // The processes of its tabs can outlive it for a moment.
  const forget = () => rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const started = { until: /WebDriver BiDi listening on (ws:\S+)/ };
  const { child, said: address } = await start(command, args, started).catch((error: unknown) => {
    forget();
    throw error;
  });
  const { connection, context } = await openTab(address).catch(async (error: unknown) => {
    await end(child);
    forget();
    throw error;
  });
  return {
    async goTo(url) {
      await connection.send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async call(source, args, { isApart } = {}) {
      const answer = (await connection.send("script.callFunction", {
        functionDeclaration: `async (json) => JSON.stringify(await (${source})(...JSON.parse(json)))`,
        arguments: [{ type: "string", value: JSON.stringify(args) }],
        target: isApart ? { context, sandbox: "apart" } : { context },
        awaitPromise: true,
      })) as Answer;
      if (answer.type === "exception") throw new Error(answer.exceptionDetails?.text);
      return answer.result?.value === undefined ? undefined : JSON.parse(answer.result.value);
    },
    async close() {
      connection.close();
      await end(child);
      forget();
    },
  };
}

async function openTab(address: string) {
  const connection = await connect(`${address}/session`);
  await connection.send("session.new", { capabilities: {} });
  const { contexts } = (await connection.send("browsingContext.getTree", {})) as Tree;
  return { connection, context: contexts[0]?.context };
}

interface Tree {
  readonly contexts: readonly { readonly context: string }[];
}

interface Answer {
  readonly type: "success" | "exception";
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly message?: string;
}

async function connect(url: string) {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    waiting.get(reply.id ?? 0)?.(reply);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let last = 0;
  const send = async (method: string, params: object): Promise<unknown> => {
    const id = ++last;
    const coming = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, message } = await coming;
    waiting.delete(id);
    if (result === undefined) throw new Error(`${method}: ${message}`);
    return result;
  };
  return { send, close: () => socket.close() };
}
