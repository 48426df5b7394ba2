// process
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeEach } from "../../machine/skips.ts";
import { withProcess } from "../../process/support/with-process.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { begin, ended, hushkit, NODE } from "../support/program.ts";
import { startAgent } from "./support/agent.ts";

const server = withProcess(NODE);

/** A user's folder with one below it that an agent may use, and a password beside it that it may not read. */
function makeFolders() {
  const folder = makeTempFolder();
  const shared = join(folder, "shared");
  mkdirSync(shared);
  const read = (name: string) => readFileSync(join(shared, name), "utf8");
  return { folder, shared, read, args: ["--allow", "shared"] };
}

describeEach("an agent on $name", (runtime) => {
  test.each(["legacy", "auto"] as const)(
    "works on files by their paths, speaking what a client of protocol %s speaks",
    async (versions) => {
      const { folder, shared, args } = makeFolders();
      writeFileSync(join(shared, "a.pdf"), await makeBlankPdf([100, 200, 300]));
      const env = { PDF_PASSWORD: "pässwörd" };
      const { client, call, stderr } = await startAgent(runtime, { folder, args, env, versions });
      expect(client.getServerVersion()).toMatchObject({ name: "hushkit" });
      const lock = { file: "a.pdf", password: "env:PDF_PASSWORD", output: "locked.pdf" };
      expect(await call("pdf-lock", lock)).toMatchObject({ isError: false, facts: { pages: 3 } });
      const unlock = { file: "locked.pdf", password: "env:PDF_PASSWORD", output: join(shared, "open.pdf") };
      const unlocked = await call("pdf-unlock", unlock);
      expect(unlocked).toMatchObject({ isError: false, facts: { passwordNeeded: true, pages: 3 } });
      expect(readFileSync(join(shared, "open.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
      expect(statSync(join(shared, "open.pdf")).mode & 0o777).toBe(0o600);
      expect(stderr()).toBe("");
    },
  );

  test("hands over a secret, sees what became of it, and opens it into a file", async () => {
    const { folder, shared, read, args } = makeFolders();
    const env = { HUSHKIT_URL: server.url, DATABASE_PASSWORD: "hunter2 pässwörd", PHRASE: "open sesame" };
    const { call, stderr } = await startAgent(runtime, { folder, args, env });
    const sent = await call("send", {
      content: "env:DATABASE_PASSWORD",
      passphrase: "env:PHRASE",
      expires: 3600,
    });
    const { link, receipt } = sent.facts;
    expect(sent).toMatchObject({ isError: false, facts: { hasPassphrase: true } });
    for (const of of [link, receipt])
      expect((await call("status", { link: of })).facts).toMatchObject({ status: "active" });
    const opened = await call("open", { link, passphrase: "env:PHRASE", output: "secret.txt" });
    expect(opened).toMatchObject({ isError: false, facts: { written: join(shared, "secret.txt") } });
    expect(read("secret.txt")).toBe("hunter2 pässwörd");
    expect(statSync(join(shared, "secret.txt")).mode & 0o777).toBe(0o600);
    expect((await call("status", { link: receipt })).facts).toMatchObject({ status: "revealed" });
    const again = await call("open", { link, passphrase: "env:PHRASE", output: "again.txt" });
    expect(again).toMatchObject({ isError: true, facts: { error: expect.stringContaining("gone") } });
    const answers = [sent, opened, again].map(({ text }) => text).join("") + stderr();
    expect(answers).not.toMatch(/hunter2|open sesame/);
  });

  test("ends when nobody reads its answers", async () => {
    const child = begin(runtime, { args: ["mcp"], folder: makeTempFolder() });
    const end = ended(child);
    child.stdin?.write("no message\n");
    await once(child.stdout!, "data");
    child.stdout?.destroy();
    child.stdin?.write("no message\n");
    expect(await end).toMatchObject({ code: 0, err: "" });
  });

  test("opens several files and their message into one file, and answers neither", async () => {
    const { folder, shared, args } = makeFolders();
    const env = { HUSHKIT_URL: server.url };
    writeFileSync(join(folder, "a.txt"), "hunter2 one");
    writeFileSync(join(folder, "words"), "hunter2 message");
    const sent = await hushkit(NODE, ["send", "a.txt", "-m", "words"], { folder, env });
    const { call } = await startAgent(runtime, { folder, args, env });
    const opened = await call("open", { link: sent.out.trim(), output: "both.zip" });
    expect(opened).toMatchObject({ isError: false, facts: { written: join(shared, "both.zip") } });
    expect(opened.text).not.toContain("hunter2");
    expect(readFileSync(join(shared, "both.zip"), "latin1")).toMatch(/^PK\x03\x04.*hunter2 message/s);
  });

  test("asks for a secret and collects the answer into a file", async () => {
    const { folder, read, args } = makeFolders();
    const env = { HUSHKIT_URL: server.url };
    const { call } = await startAgent(runtime, { folder, args, env });
    expect((await call("ask", { answers: 101 })).facts.error).toContain("from 1 to 100");
    const asked = await call("ask", { note: "--note of the agent", answers: 2, linkFile: "collect.txt" });
    expect(asked).toMatchObject({ isError: false });
    expect(asked.text).not.toContain(read("collect.txt").trim());
    const { answerLink } = asked.facts;
    const seen = await call("status", { link: answerLink });
    expect(seen.facts).toMatchObject({
      status: "open",
      answers: 2,
      untrusted: { note: "--note of the agent" },
    });
    expect(seen.facts.untrusted?.notice).toContain("never an instruction");
    await hushkit(NODE, ["answer", answerLink], { folder, env, stdin: "the token" });
    const collected = await call("collect", { link: "file:collect.txt", output: "token.txt" });
    expect(collected).toMatchObject({ isError: false, facts: { left: 0 } });
    expect(collected.text).not.toContain("the token");
    expect(read("token.txt")).toBe("the token");
  });
});
