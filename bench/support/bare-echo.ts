// The least that takes a file over HTTP and gives one back: Node alone, which sends what it was sent.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const parts: Uint8Array[] = [];
  request.on("data", (part: Uint8Array) => parts.push(part));
  request.on("end", () => {
    for (const part of parts) response.write(part);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` }));
});
process.once("SIGTERM", () => process.exit());
