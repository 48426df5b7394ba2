import { expect, onTestFinished, test } from "vitest";
import { addMember } from "../support/members.ts";
import { withServer } from "../support/with-server.ts";
import { openShell, type Shell, type Typed } from "./support/terminal.ts";

const service = withServer();
const TEXT = "pässwörd 🔑";
const ANSWER = /^http:\/\/hushkit\.test\/r\/[0-9A-Za-z]{16}#[\w-]{43}$/;
const COLLECT = /^http:\/\/hushkit\.test\/r\/[0-9A-Za-z]{16}\/collect#[0-9A-Za-z]{32}\.[\w-]{43}$/;

async function ask(shell: Shell, args: string[] = [], typed: Typed = {}) {
  const asked = await shell.run(["ask", ...args], typed);
  expect(asked.code).toBe(0);
  const [give = "", keep = "", end] = asked.out.split("\n");
  expect([give, keep, end]).toEqual([expect.stringMatching(ANSWER), expect.stringMatching(COLLECT), ""]);
  return { give, keep, err: asked.err };
}

test("asks, is answered once, and collects once", async () => {
  const shell = openShell(service);
  const { give, keep } = await ask(shell, ["--note", "the password, please", "-x", "1h"]);
  const row = await service.db.query.selectFrom("request").selectAll().executeTakeFirstOrThrow();
  expect(row.expires_at).toBe(service.clock.now + 3600);
  expect(JSON.stringify(row)).not.toContain("please");
  expect(await shell.run(["collect", keep])).toMatchObject({
    code: 3,
    out: "",
    err: expect.stringContaining("Nobody has answered"),
  });
  const other = openShell(service);
  expect(await other.run(["answer", give], { stdin: TEXT })).toMatchObject({ code: 0, out: "", err: "" });
  expect(await other.run(["answer", give], { stdin: "second" })).toMatchObject({
    code: 3,
    err: expect.stringContaining("it was answered at"),
  });
  expect(await shell.run(["collect", keep])).toMatchObject({ code: 0, out: TEXT, err: "" });
  expect(await shell.run(["collect", keep])).toMatchObject({ code: 3, out: "" });
});

test("says of a secret and of a request that they expired", async () => {
  const shell = openShell(service);
  const { give } = await ask(shell, ["-x", "1m"]);
  const sent = await shell.run(["send", "-x", "1m"], { stdin: TEXT });
  const before = service.clock.now;
  onTestFinished(() => void (service.clock.now = before));
  service.clock.now += 61;
  const at = /: it expired at \d{4}-\S+Z\.\n$/;
  const answered = await shell.run(["answer", give], { stdin: TEXT });
  expect(answered).toMatchObject({ code: 3, err: expect.stringMatching(at) });
  const opened = await shell.run(["open", sent.out.trim()]);
  expect(opened).toMatchObject({ code: 3, err: expect.stringMatching(at) });
});

test("takes as many answers as it was asked for, and collects one or all of them", async () => {
  const shell = openShell(service);
  const { give, keep, err } = await ask(shell, ["--answers", "3"], { isTerminal: true });
  expect(err).toContain("It can be answered 3 times, until");
  const other = openShell(service);
  const answer = (stdin: string) => other.run(["answer", give], { stdin });
  for (const text of ["one", "two", "three\n"]) expect(await answer(text)).toMatchObject({ code: 0 });
  expect(await answer("four")).toMatchObject({ code: 3 });
  const first = await shell.run(["collect", keep], { isTerminal: true });
  expect([first.code, first.err]).toEqual([0, expect.stringContaining("2 more answers wait.")]);
  expect(await shell.run(["collect", keep, "--all"])).toMatchObject({ code: 0, out: "two\nthree\n" });
  expect(await shell.run(["collect", keep, "--all"])).toMatchObject({ code: 3, out: "" });
  expect(await shell.run(["ask", "--answers", "101"])).toMatchObject({ code: 2 });
  expect(await shell.run(["collect", keep, "--all", "-o", "a"])).toMatchObject({ code: 2 });
});

test("closes a request for several answers, keeps those that came, and says the counts", async () => {
  const shell = openShell(service);
  const { give, keep } = await ask(shell, ["--answers", "20"]);
  for (const stdin of ["one", "two"]) await openShell(service).run(["answer", give], { stdin });
  await shell.run(["collect", keep]);
  const counted = "2 of 20 answers came, 1 were collected\n";
  expect((await shell.run(["status", keep])).out).toMatch(new RegExp(`^open until \\S+, ${counted}$`));
  expect((await shell.run(["close", keep])).out).toMatch(new RegExp(`^answered at \\S+, ${counted}$`));
  expect(await openShell(service).run(["answer", give], { stdin: "late" })).toMatchObject({ code: 3 });
  const again = await shell.run(["close", "-", "--json"], { stdin: keep });
  expect(JSON.parse(again.out)).toMatchObject({ status: "answered", answers: 20, answered: 2, collected: 1 });
  expect(await shell.run(["collect", keep])).toMatchObject({ code: 0, out: "two" });
  expect(await shell.run(["close", give])).toMatchObject({ code: 2 });
});

test("tells a person what is asked for, with its control characters shown, and which link is which", async () => {
  const shell = openShell(service);
  const { give, err } = await ask(shell, ["--note", "key\x1b[2J, please"], { isTerminal: true });
  expect(err).toContain("keep the second one");
  const answered = await shell.run(["answer", give], { stdin: TEXT, isTerminal: true });
  expect(answered.err).toContain("They ask: key^[[2J, please\n");
});

test("answers with a file, whose link the asker opens", async () => {
  const shell = openShell(service);
  const { give, keep } = await ask(shell);
  const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (7 * i) % 251);
  const other = openShell(service);
  other.put("a.bin", bytes);
  expect(await other.run(["answer", "-", "a.bin"], { stdin: give })).toMatchObject({ code: 0 });
  const link = (await shell.run(["collect", keep])).out;
  expect(await shell.run(["open", link])).toMatchObject({ code: 0 });
  expect(shell.read("a.bin").equals(bytes)).toBe(true);
});

test("keeps a file that is an answer until its request has ended, and a week at least", async () => {
  const before = service.clock.now;
  onTestFinished(() => void (service.clock.now = before));
  service.clock.now = Math.floor(Date.now() / 1000);
  const shell = openShell(service);
  const known = new Set((await storedFiles()).map(({ id }) => id));
  for (const expires of ["20d", "1h"]) {
    const { give } = await ask(shell, ["-x", expires]);
    shell.put("b.bin", Uint8Array.of(1));
    expect(await shell.run(["answer", give, "b.bin"])).toMatchObject({ code: 0 });
  }
  const made = (await storedFiles()).filter(({ id }) => !known.has(id));
  const lifetimes = made.map(({ expires_at: end }) => end - service.clock.now).sort((a, b) => a - b);
  expect(lifetimes).toEqual([604_800, expect.closeTo(20 * 86_400 + 3600, -2)]);
});

function storedFiles() {
  const files = service.db.query.selectFrom("secret").where("file_size", "is not", null);
  return files.select(["id", "expires_at"]).execute();
}

test("prints in JSON what the API answers, with the links whole", async () => {
  const shell = openShell(service);
  const made = JSON.parse((await shell.run(["ask", "--json"])).out) as Record<string, string>;
  expect(made).toEqual({
    id: expect.stringMatching(/^\w{16}$/),
    url: expect.stringMatching(ANSWER),
    collectUrl: expect.stringMatching(COLLECT),
    expiry: new Date((service.clock.now + 86_400) * 1000).toISOString(),
    status: "open",
    collectToken: expect.stringMatching(/^\w{32}$/),
  });
  const { id, url = "", collectUrl = "" } = made;
  const answered = await shell.run(["answer", url, "--json"], { stdin: TEXT });
  expect(JSON.parse(answered.out)).toMatchObject({ id, status: "answered" });
  const collected = await shell.run(["collect", collectUrl, "--json"]);
  expect(JSON.parse(collected.out)).toEqual({ id, content: TEXT, left: 0 });
});

test("tells the status by either link, and cancels by the one that was kept", async () => {
  const shell = openShell(service);
  const { give, keep } = await ask(shell);
  for (const link of [give, keep])
    expect(await shell.run(["status", link])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^open until /),
    });
  expect(await shell.run(["revoke", give])).toMatchObject({ code: 4, out: "" });
  const cancelled = expect.stringMatching(/^cancelled at /);
  expect(await shell.run(["revoke", keep])).toMatchObject({ code: 0, out: cancelled });
  expect(await shell.run(["status", give])).toMatchObject({ code: 3, out: cancelled });
  expect(await shell.run(["answer", give], { stdin: TEXT })).toMatchObject({ code: 3 });
});

test("cancels a member's own request by the link that was given away", async () => {
  const shell = openShell(service);
  const { token } = await addMember(service);
  const env = { HUSHKIT_TOKEN: token };
  const { give } = await ask(shell, [], { env });
  expect(await shell.run(["revoke", give], { env })).toMatchObject({ code: 0 });
});

test("lists a member's own requests", async () => {
  const shell = openShell(service);
  const { token } = await addMember(service);
  const env = { HUSHKIT_TOKEN: token };
  const { give, keep } = await ask(shell, [], { env });
  const id = /\/r\/(\w+)#/.exec(give)?.[1];
  const list = (...args: string[]) => shell.run(["list", "--requests", ...args], { env });
  expect((await list()).out).toMatch(new RegExp(`^${id}  open  .*Z\n$`));
  await shell.run(["answer", give], { stdin: TEXT });
  const answered = await list("--status", "answered", "--json");
  expect(JSON.parse(answered.out)).toMatchObject({ requests: [{ id, status: "answered" }], next: null });
  await shell.run(["revoke", keep]);
  expect(await list("--status", "open")).toMatchObject({ code: 0, out: "" });
  expect(await list("--status", "revealed")).toMatchObject({
    code: 2,
    err: "hushkit: --status is one of open, answered, collected, cancelled, expired here.\n",
  });
  expect(await shell.run(["list", "--status", "open"], { env })).toMatchObject({ code: 2 });
});

test("writes the answer to a file that only its owner reads, checked before it is used up", async () => {
  const shell = openShell(service);
  const { give, keep } = await ask(shell);
  await shell.run(["answer", give], { stdin: TEXT });
  shell.put("taken", "old");
  expect(await shell.run(["collect", keep, "-o", "taken"])).toMatchObject({ code: 2 });
  expect(await shell.run(["collect", "-", "-o", "new"], { stdin: keep })).toMatchObject({ code: 0, out: "" });
  expect(shell.read("new").toString()).toBe(TEXT);
});

test("hands out an answer that its link does not open, because it is used up", async () => {
  const shell = openShell(service);
  const { give, keep } = await ask(shell);
  await shell.run(["answer", give], { stdin: TEXT });
  const other = await ask(shell);
  const wrong = keep.slice(0, -43) + other.keep.slice(-43);
  expect(await shell.run(["collect", wrong])).toMatchObject({ code: 4, out: expect.stringMatching(/^r1\./) });
});

test("sends no link that is cut, and says which command a link is for", async () => {
  const shell = openShell(service);
  const { give, keep } = await ask(shell);
  const usage = (args: string[], err = "not a whole link") =>
    shell
      .run(args)
      .then((ended) => expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(err) }));
  await usage(["answer", give.slice(0, -1)]);
  await usage(["collect", keep.slice(0, -1)]);
  await usage(["collect", give], "the other one collects");
  await usage(["answer", keep], "hushkit collect");
  await usage(["open", give], "hushkit answer");
  await usage(["open", keep], "hushkit collect");
  await usage(["answer", "-"], "not both");
});
