import { expect, test } from "vitest";
import { collectLines } from "../../../adapters/operations/log.ts";

test("lines of one moment are written together, in their order, and soon", async () => {
  const written: string[] = [];
  const lines = collectLines((text) => written.push(text));
  lines.write("one");
  lines.write("two");
  expect(written).toStrictEqual([]);
  await expect.poll(() => written).toStrictEqual(["one\ntwo\n"]);
  lines.write("three");
  await expect.poll(() => written).toStrictEqual(["one\ntwo\n", "three\n"]);
});

test("at the end what is left is written at once, and once", async () => {
  const written: string[] = [];
  const lines = collectLines((text) => written.push(text));
  lines.write("last");
  lines.flush();
  lines.flush();
  expect(written).toStrictEqual(["last\n"]);
  // What was left over would be written again before it.
  lines.write("next");
  await expect.poll(() => written).toStrictEqual(["last\n", "next\n"]);
});
