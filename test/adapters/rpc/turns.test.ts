import { setImmediate } from "node:timers";
import { expect, test } from "vitest";
import { takeTurns } from "../../../adapters/trpc/rpc/json.ts";

const call = () => ({
  ...{ path: "a", batchIndex: 0, procedure: null, result: () => undefined },
  getRawInput: () => Promise.resolve("input" as unknown),
});

test("the calls of a batch begin in turns of the event loop of their own, in their order", async () => {
  const calls = [call(), call(), call()];
  takeTurns(calls);
  let turn = 0;
  const count = () => {
    turn++;
    if (turn < 20) setImmediate(count);
  };
  setImmediate(count);
  const begun = await Promise.all(calls.map(async (each) => [await each.getRawInput(), turn] as const));
  expect(begun.map(([input]) => input)).toEqual(["input", "input", "input"]);
  const turns = begun.map(([, at]) => at);
  expect(new Set(turns).size).toBe(3);
  expect(turns).toEqual(turns.toSorted((a, b) => a - b));
});

test("a call alone does not wait", async () => {
  const alone = call();
  const { getRawInput } = alone;
  takeTurns([alone]);
  expect(alone.getRawInput).toBe(getRawInput);
});
