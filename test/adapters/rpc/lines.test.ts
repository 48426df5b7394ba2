import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { jsonPost } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

const long = Array.from({ length: 60_000 }, (_, i) => `line ${i}\n`).join("");
const LONG = { a: long, b: `${long}!`, format: "json" };
/** It takes seconds. */
const SLOW = {
  ...{ a: "a b c d e f g\n".repeat(40_000), b: "g f e d c b a\n".repeat(40_000) },
  ...{ granularity: "character", format: "json" },
};

/** A batch of a call that is done at once and of one that takes memory, up to the answer of the first. */
async function sendBatch(compared: object) {
  const post = jsonPost({ 0: { length: 12 }, 1: compared }, { "trpc-accept": "application/jsonl" });
  const response = await service.request("/trpc/tools.password,tools.textCompare?batch=1", post);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("passwords")) text += (await reader.read()).value;
  return { reader, text };
}

test("a streamed batch holds what it has claimed until its last byte has left", async () => {
  const { reader, text } = await sendBatch(LONG);
  expect(text).not.toContain("line 7");
  let size = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    expect(service.budgets.claimedBytes).toBeGreaterThan(0);
    size += piece.value.length;
  }
  expect(size).toBeGreaterThan(long.length);
  await expect.poll(() => service.budgets.claimedBytes).toBe(0);
});

test("a caller who leaves a streamed batch gives back what it held when its last call has ended", async () => {
  const sent = sendBatch(SLOW);
  // On a busy disk the other answer may take longer than the comparison.
  await expect.poll(() => service.workers.busy).toBe(1);
  const { reader } = await sent;
  await reader.cancel();
  while (service.budgets.claimedBytes > 0) await setImmediate();
  expect(service.workers.busy).toBe(0);
});
