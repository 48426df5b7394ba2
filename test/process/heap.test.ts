// process
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serverFolder } from "../../bin/built.mjs";
import { escapeWide } from "../../release/bundle.ts";
import { findRuntime } from "../support/runtimes.ts";
import { startServer } from "./support/server.ts";

const MIB = 1024 * 1024;
const node = findRuntime("node");
if ("lacks" in node) throw new Error(node.lacks);

/**
 * More than what a held young generation takes: both halves of what it begins with, and pages that V8 keeps for a moment
 * beside them.
 */
const HELD = 12 * MIB;
/** What one that has grown takes at least. */
const RELEASED = 16 * MIB;
/** The size of V8's young generation. */
const YOUNG = `v8.getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size`;

test("Node loads the server without a larger young generation for it", async () => {
  const told = `import v8 from "node:v8";
    const write = process.stdout.write;
    process.stdout.write = function (text, ...rest) {
      if (String(text).includes('"listening"')) write.call(this, "young " + ${YOUNG} + "\\n");
      return write.call(this, text, ...rest);
    };`;
  const server = await startServer(node, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}`,
  });
  onTestFinished(() => server.kill());
  expect(Number(/^young (\d+)$/m.exec(server.output())?.[1])).toBeLessThanOrEqual(HELD);
});

test("the young generation grows with what survives, once it is released", () => {
  const heap = new URL("../../adapters/operations/process.ts", import.meta.url).href;
  const program = `import v8 from "node:v8";
    import { holdHeap, releaseHeap } from ${JSON.stringify(heap)};
    const kept = [];
    const survive = () => {
      for (let i = 0; i < 500_000; i++) kept.push({ i });
      return ${YOUNG};
    };
    holdHeap();
    const held = survive();
    releaseHeap();
    // How much of it survives depends on how often V8 collects, which a busy machine does less.
    let released = 0;
    for (let i = 0; i < 20 && released < ${RELEASED}; i++) released = survive();
    console.log(JSON.stringify([held, released]));`;
  const args = [...node.args, "--input-type=module", "-e", program];
  const [held = 0, released = 0] = JSON.parse(
    execFileSync(node.command, args, { encoding: "utf8" }),
  ) as number[];
  expect(held).toBeLessThanOrEqual(HELD);
  expect(released).toBeGreaterThanOrEqual(RELEASED);
});

test("what is built of the server takes V8 one byte for each character", () => {
  const folder = serverFolder();
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  expect(files).toContain("main.js");
  const wide = files.filter((name) => /[^\0-\xff]/.test(readFileSync(join(folder, name), "utf8")));
  expect(wide).toEqual([]);
});

test.each([
  "`a…\\n–`",
  "'\\…'",
  "'\\\\…'",
  "'\\\\\\…'",
  "'é 🔑'",
  "/^[“-…]+$/.test('…')",
  "/^🔑+$/u.test('🔑🔑')",
  "({ ẞ: 'SS' })['ẞ']",
])("the value of %s is the same in Latin-1", (code) => {
  const value = (of: string) => new Function(`return ${of}`)() as unknown;
  const escaped = escapeWide(code);
  expect(escaped).toMatch(/^[\0-\xff]*$/);
  expect(value(escaped)).toBe(value(code));
});
