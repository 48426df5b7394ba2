import { expect, test } from "vitest";
import { describeError } from "../../../adapters/operations/log.ts";

function fail(message: string): Error {
  return new RangeError(message);
}

const HERE = "(test/adapters/operations/stack.test.ts:";

test.each([
  "",
  "SECRET",
  "SECRET\n    at SECRET (/SECRET:1:1)",
  "SECRET\n    at SECRET (/SECRET:1:1)\nSECRET",
  "\n    at SECRET (/SECRET:1:1)\n    at SECRET (/SECRET:1:1)",
])("gives the frames of an error and nothing of the message %j", (message) => {
  const { name, frames } = describeError(fail(message));
  expect(name).toBe("RangeError");
  expect(frames[0]).toContain(`fail ${HERE}`);
  expect(frames.join()).not.toContain("SECRET");
});

test("a message that was changed later is not in the frames either", () => {
  const error = fail("SECRET one");
  expect(error.stack).toContain("SECRET");
  error.message = "another";
  expect(describeError(error).frames.join()).not.toContain("SECRET");
});

test("names what is no error, or has a strange name, just an error", () => {
  const error = fail("x");
  error.name = "SECRET of 2026";
  expect(describeError(error).name).toBe("Error");
  expect(describeError("SECRET")).toEqual({ name: "Error", frames: [] });
  expect(describeError(undefined)).toEqual({ name: "Error", frames: [] });
  expect(describeError(Object.assign(new Error("x"), { stack: undefined })).frames).toEqual([]);
});

test("reads frames in each runtime's way of writing them", () => {
  const frames = [
    "    at read (file:///srv/tools/pdf.ts:12:5)",
    "    at async Pool.run (/srv/adapters/runner.ts:1:2)",
    "    at new Reader (C:\\srv\\tools\\pdf.ts:3:4)",
    "    at async file:///srv/main.ts:5:6",
    "    at Array.map (<anonymous>)",
    "    at map (native:1:11)",
    "    at readFileSync (unknown)",
    "    at <parse> (:0)",
    "    at ModuleJob.run (node:internal/modules/esm/module_job:561:25)",
    "    at Object.<anonymous> (ext:deno_node/fs.ts:1:10305)",
  ];
  const error = Object.assign(new Error("x"), { stack: ["Error: x", ...frames].join("\n") });
  expect(describeError(error).frames).toEqual(frames.map((frame) => frame.trim()));
});

test("keeps thirty frames at most", () => {
  const stack = ["Error: x", ...Array.from({ length: 100 }, (_, i) => `    at f${i} (/srv/a.ts:1:1)`)].join(
    "\n",
  );
  expect(describeError(Object.assign(new Error("x"), { stack })).frames).toHaveLength(30);
});
