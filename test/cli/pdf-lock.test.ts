import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { unlockPdf } from "../../tools/pdf-unlock.ts";
import { withServer } from "../support/with-server.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { openShell, type Shell } from "./support/terminal.ts";

const service = withServer();
/** Encrypted by qpdf; "geheim" opens it. */
const LOCKED = readFileSync(new URL("../files/encrypted/aes-256-r6.pdf", import.meta.url));

function openFilled(): Shell {
  const shell = openShell(service);
  shell.put("a.pdf", pagesPdf(2));
  shell.put("locked.pdf", LOCKED);
  return shell;
}

async function removedFrom(shell: Shell, { name, password }: { name: string; password: string }) {
  return (await unlockPdf(Uint8Array.from(shell.read(name)), { password })).removed;
}

test.each([[[]], [["--server"]]])(
  "asks twice for the new password, and says what is allowed %j",
  async (more) => {
    const shell = openFilled();
    const args = ["pdf", "lock", "a.pdf", "--allow", "print,fill", "--json", ...more];
    const ended = await shell.run(args, { answers: ["neu", "neu"], isTerminal: true });
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.out)).toMatchObject({
      tool: "pdf-lock",
      name: "a-locked.pdf",
      pages: 2,
      warnings: [],
    });
    const removed = ["modify", "copy", "annotate", "assemble"];
    expect(await removedFrom(shell, { name: "a-locked.pdf", password: "neu" })).toEqual(removed);
  },
);

test("takes the owner's password from a descriptor of its own", async () => {
  const shell = openFilled();
  const args = ["pdf", "lock", "a.pdf", "--allow", "none", "--owner-password-fd", "3"];
  const env = { HUSHKIT_PASSWORD: "neu" };
  expect(await shell.run(args, { env, fd3: "chef\n" })).toMatchObject({ code: 0, err: "" });
  for (const password of ["neu", "chef"]) {
    expect((await removedFrom(shell, { name: "a-locked.pdf", password })).length).toBe(7);
  }
});

test("asks for the present password of what is locked already", async () => {
  const shell = openFilled();
  const env = { HUSHKIT_PASSWORD: "neu" };
  const args = ["pdf", "lock", "locked.pdf", "-o", "out.pdf", "--force"];
  expect(await shell.run(args, { env, answers: ["geheim"], isTerminal: true })).toMatchObject({ code: 0 });
  expect(await removedFrom(shell, { name: "out.pdf", password: "neu" })).toEqual([]);
  expect(await shell.run([...args, "--open-with-fd", "3"], { env, fd3: "geheim" })).toMatchObject({
    code: 0,
  });
  expect(await shell.run([...args, "--open-with-fd", "3"], { env, fd3: "chef" })).toMatchObject({ code: 0 });
});

test.each([
  [4, ["a.pdf"], {}, "--password-fd N or HUSHKIT_PASSWORD"],
  [4, ["locked.pdf"], { env: { HUSHKIT_PASSWORD: "geheim" } }, "--open-with-fd N"],
  [4, ["locked.pdf", "--open-with-fd", "3"], { env: { HUSHKIT_PASSWORD: "neu" }, fd3: "x" }, '"openWith"'],
  [
    4,
    ["a.pdf", "--owner-password-fd", "3"],
    { env: { HUSHKIT_PASSWORD: "neu" }, fd3: "" },
    "--owner-password-fd 3",
  ],
  [2, ["a.pdf", "--allow", "prnt"], {}, "It is a list of print, copy"],
  [2, ["a.pdf", "--allow", "none,print"], { env: { HUSHKIT_PASSWORD: "neu" } }, "--allow must be a list"],
  [2, ["a.pdf"], { env: { HUSHKIT_PASSWORD: "x".repeat(128) } }, "1 to 127"],
  [2, ["a.pdf", "--owner-password=canary"], {}, "--owner-password is not taken"],
  [2, ["a.pdf", "--open-with", "canary"], {}, "--open-with is not taken"],
])("ends with %i: %j", async (code, args, typed, words) => {
  const ended = await openFilled().run(["pdf", "lock", ...args], typed);
  expect(ended).toMatchObject({ code, out: "", err: expect.stringContaining(words) });
  expect(ended.err).not.toContain("canary");
});
