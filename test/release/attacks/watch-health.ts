// A process that asks how a server is, again and again: node test/release/attacks/watch-health.ts URL. It sends its parent the
// longest wait in milliseconds when the parent sends it something.
const EVERY_MS = 5;

const [url = ""] = process.argv.slice(2);
let longest = 0;
process.once("message", () => process.send?.(longest, () => process.exit(0)));
process.once("disconnect", () => process.exit(0));

// The first connection is opened before anything counts.
await ask().catch(() => undefined);
process.send?.("ready");
for (;;) {
  const start = performance.now();
  // A server that does not answer has kept this caller waiting for as long as it took to find out.
  await ask().catch(() => undefined);
  longest = Math.max(longest, performance.now() - start);
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}

async function ask(): Promise<void> {
  const response = await fetch(`${url}/healthz`);
  await response.arrayBuffer();
}
