import { setImmediate } from "node:timers";
import type { ServerRequest } from "srvx";
import { expect, test } from "vitest";
import { sendParts } from "../../../adapters/trpc/answer/stream.ts";
import { RequestBody } from "../../../adapters/trpc/body/request-body.ts";
import { ByteStream } from "../../../wire/byte-pieces.ts";

const MIB = 2 ** 20;
const SIZE_MIB = 20;

/** Pieces that are all there without a wait, as rows of SQLite and a fast network have them. */
async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let i = 0; i < SIZE_MIB * 4; i++) yield new Uint8Array(MIB / 4);
}

/** How often the event loop had a turn while something ran. */
async function countTurns(work: () => Promise<void>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

test("an answer gives the loop back every megabyte, however fast its client is", async () => {
  const { stream } = sendParts([new ByteStream(pieces(), SIZE_MIB * MIB)]);
  const turns = await countTurns(async () => {
    for await (const _ of stream);
  });
  expect(turns).toBeGreaterThanOrEqual(SIZE_MIB - 1);
});

test("an upload gives the loop back every megabyte, however fast it comes", async () => {
  const sent = new ByteStream(pieces(), SIZE_MIB * MIB).stream();
  const options = { method: "POST", body: sent, duplex: "half" };
  // What srvx adds to a request is optional.
  const body = new RequestBody(new Request("http://localhost/", options) as ServerRequest);
  const turns = await countTurns(async () => {
    for await (const _ of body.chunks({ limit: 2 * SIZE_MIB * MIB, tooLarge: () => new Error() }));
  });
  expect(turns).toBeGreaterThanOrEqual(SIZE_MIB - 1);
});
