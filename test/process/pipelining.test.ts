// process
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { describeEach } from "../machine/skips.ts";
import type { Runtime } from "../support/runtimes.ts";
import { withProcess } from "./support/with-process.ts";

const CALLS = 12;
const FILE = "x".repeat(100);
const LOCK = [
  "POST /api/tools/file-encrypt?password=p HTTP/1.1",
  "Host: localhost",
  `Content-Length: ${FILE.length}`,
  "",
  FILE,
].join("\r\n");

// Node would begin them all, so it has a bound (adapters/http/connections.ts).
const names = ["deno", "bun"] as const;

describeEach("on $name", work, { names });

function work(runtime: Runtime): void {
  const server = withProcess(runtime);

  /** The statuses of calls that are all sent before the first answer, over one connection. */
  function sendAtOnce(): Promise<string[]> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.write(LOCK.repeat(CALLS));
    return new Promise((resolve, reject) => {
      const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? "");
      socket.on("error", reject);
      socket.on("close", () => resolve(statuses()));
      socket.on("data", (data) => {
        text += data.toString("latin1");
        if (statuses().length === CALLS) socket.destroy();
      });
    });
  }

  test("no two requests of one connection are worked on at a time", async () => {
    // A caller may have two calls at once: had more begun, 429 would be among the statuses. Deno works on one after
    // the other; Bun 1.4 ends a connection whose next request comes before the last one's answer.
    expect(await sendAtOnce()).toEqual(runtime.name === "deno" ? Array(CALLS).fill("200") : []);
    const next = () => fetch(`${server.url}/api/tools/password`);
    await expect.poll(async () => (await next()).status).toBe(200);
  });
}
