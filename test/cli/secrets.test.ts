// slow
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { addMember } from "../support/members.ts";
import { withServer } from "../support/with-server.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();
const TEXT = "pässwörd 🔑";
const LINK = /^http:\/\/hushkit\.test\/s\/[0-9A-Za-z]{16}#[0-9A-Za-z]{22}\.[0-9A-Za-z]{43}\n$/;

test("hands over a text once, which the server never sees", async () => {
  const shell = openShell(service);
  const sent = await shell.run(["send", "-x", "1h"], { stdin: TEXT });
  expect(sent).toMatchObject({ code: 0, err: "", out: expect.stringMatching(LINK) });
  const row = await service.db.query.selectFrom("secret").selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ is_encrypted: 1, expires_at: service.clock.now + 3600 });
  expect(await shell.run(["open", sent.out.trim()])).toMatchObject({ code: 0, out: TEXT, err: "" });
  expect(await shell.run(["open", sent.out.trim()])).toMatchObject({ code: 3, out: "" });
});

test("opens what the page or a script sent, and the other way round", async () => {
  const shell = openShell(service);
  const { url } = await service.client().secrets.create.mutate({ content: TEXT, passphrase: "open sesame" });
  const opened = await shell.run(["open", url], { answers: ["open sesame"] });
  expect(opened).toMatchObject({ code: 0, out: TEXT });
});

test("asks for a passphrase twice when it is new, and once to open", async () => {
  const shell = openShell(service);
  const different = await shell.run(["send", "-p"], { stdin: TEXT, answers: ["one", "other"] });
  expect(different).toMatchObject({ code: 4, out: "" });
  const sent = await shell.run(["send", "-p"], { stdin: TEXT, answers: ["one", "one"] });
  const link = sent.out.trim();
  const wrong = await shell.run(["open", link], { answers: ["two"] });
  expect(wrong).toMatchObject({ code: 4, err: expect.stringContaining("9 more tries are left") });
  expect(await shell.run(["open", link])).toMatchObject({
    code: 4,
    err: expect.stringContaining("--password-fd"),
  });
  const env = { HUSHKIT_PASSWORD: "one" };
  expect(await shell.run(["open", link], { env })).toMatchObject({ code: 0, out: TEXT });
});

test("takes a passphrase from a file descriptor, without its line end", async () => {
  const shell = openShell(service);
  const sent = await shell.run(["send", "--password-fd", "3"], { stdin: TEXT, fd3: "one\r\n" });
  const opened = await shell.run(["open", sent.out.trim(), "--password-fd", "3"], { fd3: "one" });
  expect(opened).toMatchObject({ code: 0, out: TEXT });
});

test("writes a secret to a file that only its owner reads, and checks the name before it is used up", async () => {
  const shell = openShell(service);
  const link = (await shell.run(["send"], { stdin: TEXT })).out.trim();
  shell.put("taken.txt", "old");
  const taken = await shell.run(["open", link, "-o", "taken.txt"]);
  expect(taken).toMatchObject({ code: 2, err: expect.stringContaining("--force") });
  expect(await shell.run(["open", "-", "-o", "new.txt"], { stdin: `${link}\n` })).toMatchObject({
    code: 0,
    out: "",
  });
  expect(shell.read("new.txt").toString()).toBe(TEXT);
  expect(statSync(shell.path("new.txt")).mode & 0o777).toBe(0o600);
});

test("does not send a link that is cut", async () => {
  const shell = openShell(service);
  const link = (await shell.run(["send"], { stdin: TEXT })).out.trim();
  expect(await shell.run(["open", link.slice(0, -1)])).toMatchObject({ code: 2, out: "" });
  expect(await shell.run(["status", link])).toMatchObject({ code: 0 });
});

test("hands out what a wrong inner key does not open, because it is used up", async () => {
  const shell = openShell(service);
  const link = (await shell.run(["send"], { stdin: TEXT })).out.trim();
  const wrong = `${link.slice(0, -43)}${"0".repeat(43)}`;
  expect(await shell.run(["open", wrong])).toMatchObject({ code: 4, out: expect.stringMatching(/^s1\./) });
});

test("tells the status, and revokes by the token that the sender got", async () => {
  const shell = openShell(service);
  const { out } = await shell.run(["send", "--json"], { stdin: TEXT });
  const made = JSON.parse(out) as { id: string; url: string; revokeToken: string };
  expect(`${made.url}\n`).toMatch(LINK);
  const active = await shell.run(["status", made.url, "--json"]);
  expect([active.code, JSON.parse(active.out)]).toEqual([0, expect.objectContaining({ status: "active" })]);
  const token = `${made.id}.${made.revokeToken}`;
  expect(await shell.run(["revoke", made.url])).toMatchObject({ code: 4 });
  expect(await shell.run(["revoke", token])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^revoked at /),
  });
  expect(await shell.run(["status", token])).toMatchObject({
    code: 3,
    out: expect.stringMatching(/^revoked at /),
  });
  expect(await shell.run(["open", made.url])).toMatchObject({
    code: 3,
    err: expect.stringContaining("revoked"),
  });
});

test("tells a person how to take it back, and a program nothing but the link", async () => {
  const shell = openShell(service);
  const shown = await shell.run(["send"], { stdin: TEXT, isTerminal: true });
  expect(shown.err).toMatch(/hushkit revoke [0-9A-Za-z]{16}\.[0-9A-Za-z]{32}/);
  expect(shown.out).toMatch(LINK);
});

test("lists and revokes a member's own secrets with a token", async () => {
  const shell = openShell(service);
  const { token } = await addMember(service);
  const env = { HUSHKIT_TOKEN: token };
  const link = (await shell.run(["send"], { stdin: TEXT, env })).out.trim();
  const id = /\/s\/(\w{16})/.exec(link)?.[1] ?? "";
  expect((await shell.run(["list"], { env })).out).toMatch(new RegExp(`^${id}  active  `));
  expect(await shell.run(["revoke", id], { env })).toMatchObject({ code: 0 });
  const listed = await shell.run(["list", "--status", "revoked", "--json"], { env });
  expect(JSON.parse(listed.out)).toMatchObject({ secrets: [{ id, status: "revoked" }], next: null });
  expect(await shell.run(["list"])).toMatchObject({ code: 4 });
});

test("names the option where the API names a parameter", async () => {
  const shell = openShell(service);
  const late = await shell.run(["send", "-x", "91d"], { stdin: TEXT });
  expect(late).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^hushkit: -x, --expires must be from 60 to/),
  });
});

test("sends the token to no other server", async () => {
  const shell = openShell(service);
  const seen: (string | null)[] = [];
  const { request } = service;
  const watched = {
    ...service,
    request: (path: string, init: RequestInit = {}) => {
      seen.push(new Headers(init.headers).get("authorization"));
      return request(path, init);
    },
  };
  const link = (await shell.run(["send"], { stdin: TEXT })).out.trim();
  const { token } = await addMember(service);
  const env = { HUSHKIT_URL: "https://elsewhere.example", HUSHKIT_TOKEN: token };
  expect(await openShell(watched).run(["open", link], { env })).toMatchObject({ code: 0 });
  expect(seen).toEqual([null, null, null]);
});
