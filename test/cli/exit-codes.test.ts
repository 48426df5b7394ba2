// slow
import { truncateSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../../cli/exit.ts";
import { lockFile } from "../../tools/file-encrypt.ts";
import { joinBytes, utf8 } from "../../wire/bytes.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { startForTest, withServer } from "../support/with-server.ts";
import { bytesOf, picture } from "../tools/image/support/made.ts";
import { openShell, type Typed } from "./support/terminal.ts";

const service = withServer();
let locked: Uint8Array;
beforeAll(async () => {
  // Made once: a key derivation is slow on purpose.
  const pieces: Uint8Array[] = [];
  for await (const piece of lockFile(utf8("a\n"), { password: "this one" })) pieces.push(piece);
  locked = joinBytes(pieces);
});

const ID = "0123456789abcdef";
const LINK = `http://hushkit.test/s/${ID}#${"k".repeat(22)}`;
const LOCKED = { HUSHKIT_PASSWORD: "another one" };

/** Command lines by how they end; the files a.txt, b.txt, a.pdf and a.txt.locked are there. */
const CASES: readonly [code: number, args: string[], typed?: Typed][] = [
  [EXIT.done, ["password"]],
  [EXIT.done, ["--help"]],
  [EXIT.done, ["--version"]],
  [EXIT.done, ["help", "send"]],
  [EXIT.done, ["diff", "a.txt", "a.txt"]],
  [EXIT.differs, ["diff", "a.txt", "b.txt"]],
  [EXIT.differs, ["hash", "-c", "SUMS"]],
  [EXIT.usage, []],
  [EXIT.usage, ["pdf"]],
  [EXIT.usage, ["nonsense"]],
  [EXIT.usage, ["password", "--nonsense"]],
  [EXIT.usage, ["password", "--length", "0"]],
  [EXIT.usage, ["password", "--length", "3", "--words", "3"]],
  [EXIT.usage, ["password", "more"]],
  [EXIT.usage, ["send", "-x", "soon"], { stdin: "x" }],
  [EXIT.usage, ["send"], { stdin: "" }],
  [EXIT.usage, ["hash"]],
  [EXIT.usage, ["hash", "none.txt"]],
  [EXIT.usage, ["hash", "-", "-"]],
  [EXIT.usage, ["hash", "a.txt", "-a", "crc32"]],
  [EXIT.usage, ["image", "a.txt"]],
  [EXIT.usage, ["image", "a.txt", "-f", "webp"]],
  [EXIT.usage, ["pdf", "rotate", "a.txt"]],
  [EXIT.usage, ["pdf", "rotate", "a.pdf", "--range", "9"]],
  [EXIT.usage, ["pdf", "rotate", "a.pdf", "--range", "1,,2"]],
  [EXIT.usage, ["unlock", "a.txt"], { env: LOCKED }],
  [EXIT.usage, ["completion", "powershell"]],
  [EXIT.gone, ["open", LINK]],
  [EXIT.gone, ["status", `${ID}.${"t".repeat(32)}`]],
  [EXIT.gone, ["revoke", `${ID}.${"t".repeat(32)}`]],
  [EXIT.password, ["lock", "b.txt"]],
  [EXIT.password, ["unlock", "a.txt.locked"], { env: LOCKED }],
  [EXIT.password, ["list"]],
  [EXIT.password, ["list"], { env: { HUSHKIT_TOKEN: "wrong" } }],
  [EXIT.network, ["list"], { env: { HUSHKIT_URL: "http://127.0.0.1:9" } }],
  [EXIT.network, ["hash", "a.txt", "--server"], { env: { HUSHKIT_URL: "http://127.0.0.1:9" } }],
];

test.each(CASES)("ends with %i: %j", async (code, args, typed) => {
  const shell = openShell(service);
  shell.put("a.txt", "a\n");
  shell.put("b.txt", "b\n");
  shell.put("a.pdf", await makeBlankPdf());
  shell.put("SUMS", `${"0".repeat(64)}  a.txt\n`);
  shell.put("a.txt.locked", locked);
  const ended = await shell.run(args, typed);
  expect(ended.code).toBe(code);
  expect(ended.err).not.toMatch(/\bat .*:\d+:\d+/);
  if (code > EXIT.differs && args.length > 1) expect(ended.err).toMatch(/^hushkit: .+/);
});

/** An unset variable of the shell, in the place of a path. */
test.each([
  ["send", ""],
  ["send", "a.txt", "-m", ""],
  ["hash", "a.txt", ""],
  ["diff", "a.txt", ""],
  ["lock", "a.txt", "-o", ""],
  ["lock", "a.txt", "--key-file="],
  ["lock", "a.txt", "-R", ""],
  ["unlock", "a.txt.locked", "-i", ""],
  ["pdf", "rotate", "a.pdf", "--output="],
  ["mcp", "--allow", ""],
  ["mcp", "--allow", ".", "--allow="],
  ["mcp", "--allow-host", ""],
  ["lock", "a.txt", "--recipient", ""],
  ["pdf", "split", "a.pdf", "--keep", ""],
  ["image", "a.txt", "--background", ""],
])("takes no empty word for a path, or for what it would do without: %j", async (...args) => {
  const shell = openShell(service);
  for (const name of ["a.txt", "a.pdf", "a.txt.locked"]) shell.put(name, "a\n");
  const ended = await shell.run(args, { env: { HUSHKIT_PASSWORD: "a password" }, stdin: "" });
  expect(ended).toMatchObject({
    code: EXIT.usage,
    out: "",
    err: expect.stringMatching(/'' is invalid.* It is empty\./),
  });
});

test.each([
  ["merge", "pdf merge"],
  ["rotate", "pdf rotate"],
  ["backup", "admin backup"],
  ["sned", "send"],
])("leads from %s, which is no command, to %s", async (name, meant) => {
  const ended = await openShell(service).run([name, "a.pdf"]);
  const err = `hushkit: unknown command '${name}'\n(Did you mean ${meant}?)\n(--help shows what is possible)\n`;
  expect(ended).toMatchObject({ code: EXIT.usage, out: "", err });
});

/** What no header can carry, or would be cut there. */
test.each(["bad\ntoken", "two words", "“service_token_x”", " "])(
  "refuses %j as a token before anything is sent",
  async (token) => {
    const shell = openShell(service);
    shell.put("a.txt", "a\n");
    for (const args of [["list"], ["send", "a.txt"], ["status", LINK], ["hash", "a.txt", "--server"]]) {
      const { code, out, err } = await shell.run(args, { env: { HUSHKIT_TOKEN: token } });
      expect([args, code, out, err]).toEqual([
        args,
        EXIT.usage,
        "",
        expect.stringContaining("is not a token"),
      ]);
    }
    const trimmed = await shell.run(["list"], { env: { HUSHKIT_TOKEN: "wrong\r\n" } });
    expect(trimmed.code).toBe(EXIT.password);
  },
);

describe("a limit", () => {
  test("of the rate ends with 5", async () => {
    const shell = openShell(service);
    for (let i = 0; i < 10; i++) await shell.run(["send"], { stdin: "x" });
    expect(await shell.run(["send"], { stdin: "x" })).toMatchObject({ code: EXIT.limit });
  });

  test("of the size ends with 5", async () => {
    const shell = openShell(service);
    shell.put("large", new Uint8Array(26_214_401));
    expect(await shell.run(["hash", "large", "--server"])).toMatchObject({ code: EXIT.limit });
    expect(await shell.run(["hash", "large"])).toMatchObject({ code: EXIT.done });
  });

  test("of what a runtime reads at once is told for a larger file", async () => {
    const shell = openShell(service);
    shell.put("large.pdf", "");
    truncateSync(shell.path("large.pdf"), 3 * 2 ** 30);
    expect(await shell.run(["pdf", "rotate", "large.pdf"])).toMatchObject({
      code: EXIT.limit,
      err: "hushkit: large.pdf: at most 2147483647 bytes of it can be read here.\n",
    });
  });
});

test("ends with 6 where the server has a fault", async () => {
  const broken = await startForTest();
  const shell = openShell(broken);
  await broken.db.query.schema.dropTable("secret_content").execute();
  expect(await shell.run(["send"], { stdin: "x" })).toMatchObject({ code: EXIT.network });
});

/** A password among the arguments, in the ways that people try. */
const REFUSED: readonly string[][] = [
  ["lock", "a.txt", "--password", "hunter2"],
  ["lock", "a.txt", "--password=hunter2"],
  ["send", "-phunter2"],
  ["send", "--passphrase", "hunter2"],
  ["login", "--pass=hunter2"],
  ["list", "--token", "service_token_hunter2"],
  ["login", "service_token_hunter2"],
  ["login", "https://me:hunter2@hush.example"],
];

test.each(REFUSED)(
  "refuses a password among the arguments and does not repeat it: %s %s %s",
  async (...args) => {
    const { code, out, err } = await openShell(service).run(args);
    expect([code, out, err.includes("hunter2")]).toEqual([EXIT.usage, "", false]);
    expect(err).toMatch(/HUSHKIT_PASSWORD|HUSHKIT_TOKEN|hushkit login/);
  },
);

test("names the option that is wrong, and what is near", async () => {
  const { err } = await openShell().run(["password", "--lenght", "3"]);
  expect(err).toContain("unknown option '--lenght'\n(Did you mean --length?)");
});

test("calls a parameter by its option, or by its name where there is none", async () => {
  const shell = openShell();
  shell.put("a.pdf", await makeBlankPdf());
  const rotated = await shell.run(["pdf", "rotate", "a.pdf", "--range", "1,,2"]);
  expect(rotated.err).toMatch(/^hushkit: --range /);
  const merged = await shell.run(["pdf", "merge", "a.pdf:1,,2"]);
  expect(merged.err).toMatch(/^hushkit: The range /);
  shell.put("a.png", await bytesOf(picture(20, 20).png()));
  const linear = await shell.run(["image", "a.png", "-f", "jpeg", "--linear"]);
  expect(linear.err).toContain("--linear does nothing without --width or --height");
  const small = await shell.run(["image", "a.png", "-f", "jpeg", "--bytes", "1"]);
  expect(small.err).toContain("--bytes allows 1; a smaller --width or --height helps");
  const twice = await shell.run(["image", "a.png", "a.jpg", "-f", "webp"]);
  expect(twice.err).toBe("hushkit: a.jpg: a.webp is the result of a.png already.\n");
  const env = { HUSHKIT_PASSWORD: "x".repeat(1025) };
  const locked = await shell.run(["lock", "a.pdf"], { env });
  expect(locked.err).toMatch(/^hushkit: The password has 1025 /);
  const quoted = await shell.run(["pdf", "rotate", "a.pdf", "--range", "angle"]);
  expect(quoted.err).toMatch(/^hushkit: --range has the item "angle"/);
});

test("refuses what does nothing beside --strip", async () => {
  const shell = openShell();
  shell.put("a.png", await bytesOf(picture(20, 20).png()));
  for (const [option = "", ...value] of [["--quality", "50"], ["--background", "#000"], ["--linear"]]) {
    const ended = await shell.run(["image", "--strip", "a.png", option, ...value]);
    expect(ended.err).toContain(`${option} does nothing with --strip`);
  }
});
