import { expect, test } from "vitest";
import { createPipeReader, pipeParts } from "../../../adapters/workers/pipe.ts";
import { concatBytes } from "../../../wire/bytes.ts";

const VALUES = [{ file: Uint8Array.from({ length: 70 }, (_, i) => i), note: "é" }, null, [new Uint8Array()]];

test.each([1, 2, 7, 8, 9, 64, 1000])("reads values from a pipe that delivers %i bytes at a time", (size) => {
  const pipe = concatBytes(...VALUES.flatMap((value) => pipeParts(value)));
  const read: unknown[] = [];
  const feed = createPipeReader((value) => read.push(value));
  for (let i = 0; i < pipe.length; i += size) feed(pipe.subarray(i, i + size));
  expect(read).toStrictEqual(VALUES);
});

test.each([
  ["a length over 2 GiB", [0, 0, 0, 0, 0x80, 0, 0, 1]],
  ["the longest length", [255, 255, 255, 255, 255, 255, 255, 255]],
  ["a frame that is none", [0, 0, 0, 0, 0, 0, 0, 1, 0]],
])("refuses %s before anything is set aside for it", (_, bytes) => {
  const feed = createPipeReader(() => {});
  expect(() => feed(Uint8Array.from(bytes))).toThrow();
});
