import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Serves the scripts of a folder and an empty page, /index.html, until the test ends; returns the origin. */
export async function serveFolder(folder: string): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const isPage = url === "/index.html";
    const path = join(folder, url);
    // Browsers ask for an icon, too.
    response.statusCode = isPage || existsSync(path) ? 200 : 404;
    response.setHeader("content-type", isPage ? "text/html" : "text/javascript");
    response.end(isPage || response.statusCode === 404 ? "" : readFileSync(path));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // It listens on a port and not on a pipe.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
