import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export const SECRET = `whsec_${randomBytes(32).toString("base64")}`;

/** A call that was taken. */
export interface Received {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A receiver of the operator's own, which answers as it is told. */
export async function startReceiver(
  answer: (count: number) => number | "hang" | Promise<number> = () => 204,
  retryAfter?: () => string,
) {
  const received: Received[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (data) => (text += data));
    request.on("end", async () => {
      const status = await answer(count++);
      if (status === "hang") return;
      if (status < 300) received.push({ ...(JSON.parse(text) as Received), headers: request.headers, text });
      if (retryAfter && status >= 400) response.setHeader("retry-after", retryAfter());
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(end);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?key=canary`,
    received,
    count: () => count,
    end,
  };
}

/** What Standard Webhooks 1.0 has to stand in `webhook-signature`. */
export function signatureOf({ headers, text }: Pick<Received, "headers" | "text">, secret = SECRET): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}
