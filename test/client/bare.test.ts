// process
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../client/client.ts";
import { withProcess } from "../process/support/with-process.ts";
import { nodePath, runtimeAt } from "../support/runtimes.ts";
import { makeBlankPdf } from "../support/samples.ts";

const BARE = fileURLToPath(new URL("support/bare.ts", import.meta.url));
const server = withProcess(runtimeAt("node", nodePath()));

test("works on plain-http pages, and with the fetch of React Native", async () => {
  const pdf = Buffer.from(await makeBlankPdf([100, 200])).toString("base64");
  const input = JSON.stringify({ url: server.url, pdf });
  const told = execFileSync(nodePath(), ["--no-warnings", BARE], { input, encoding: "utf8" });
  expect(JSON.parse(told)).toEqual({ pages: 2, same: true, content: "hush" });
});

test("follows a server that says where else it is, with a large file too", async () => {
  const { origin } = new URL(server.url);
  const elsewhere = createServer(({ url = "" }, response) => {
    response.writeHead(308, { location: origin + url }).end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void elsewhere.close());
  const { port } = elsewhere.address() as AddressInfo; // listening on a port
  const file = new Uint8Array(3_000_000);
  const client = createClient(`http://127.0.0.1:${port}`);
  expect(await client.tools.fileHash.mutate({ file })).toMatchObject({ size: 3_000_000 });
});
