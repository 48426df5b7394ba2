import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runAdmin } from "../../../adapters/operations/admin.ts";
import { findMember } from "../../../db/accounts/members.ts";
import { openDatabase } from "../../../db/open.ts";
import { call, register } from "../../support/members.ts";
import { nodePath } from "../../support/runtimes.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

async function admin(line: string, input = "") {
  const [out, err, events]: [string[], string[], string[]] = [[], [], []];
  const { db, now, passwords } = service.services;
  const terminal = { db, now, passwords, readInput: async () => input };
  const args = line.split(" ").filter((word) => word !== "");
  const code = await runAdmin(args, {
    ...terminal,
    write: (text) => void out.push(text),
    writeError: (text) => void err.push(text),
    onSecurityEvent: (event) => void events.push(event),
  });
  const shown = Object.fromEntries(
    out.map((text) => text.split("\t")).map(([name = "", value = ""]) => [name, value]),
  );
  return { code, out: out.join("\n"), err: err.join("\n"), events, shown };
}

const login = (name: string, password = "") =>
  call(service, "/api/account/login", { json: { name, password } });

test("adds a member who can log in and recover with what is shown", async () => {
  const { code, shown, events } = await admin("user add alice");
  expect(events).toEqual(["account_added"]);
  expect([code, shown.name]).toEqual([0, "alice"]);
  expect(shown.password).toMatch(/^[0-9A-Za-z]{20}$/);
  expect((await login("alice", shown.password)).status).toBe(200);
  const json = { name: "alice", recoveryCode: shown["recovery code"], password: "another password" };
  expect((await call(service, "/api/account/recover", { json })).status).toBe(200);
});

test("takes a password from standard input and does not show it", async () => {
  const { code, out } = await admin("user add bob --password-stdin", "correct horse\n");
  expect([code, out.includes("correct horse")]).toEqual([0, false]);
  expect((await login("bob", "correct horse")).status).toBe(200);
});

test("resets a member's password and ends all sessions", async () => {
  const { name, password, cookie } = await register(service);
  const { code, shown, events } = await admin(`user reset ${name}`);
  expect(events).toEqual(["account_reset"]);
  expect(code).toBe(0);
  expect((await call(service, "/api/users/me", { headers: { cookie } })).status).toBe(401);
  expect((await login(name, password)).status).toBe(401);
  expect((await login(name, shown.password)).status).toBe(200);
});

test("deletes a member only when told what becomes of the secrets", async () => {
  const { name, cookie } = await register(service);
  const made = await call(service, "/api/secrets", { json: { content: "x" }, headers: { cookie } });
  expect(await admin(`user delete ${name}`)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--secrets/),
  });
  expect(await admin(`user delete ${name} --secrets all`)).toMatchObject({ code: 2 });
  expect(await findMember(service.db, { name })).toBeDefined();
  expect(await admin(`user delete ${name} --secrets revoke`)).toMatchObject({
    code: 0,
    out: `deleted\t${name}`,
  });
  expect(await findMember(service.db, { name })).toBeUndefined();
  const { id, key } = made.body;
  expect((await call(service, `/api/secrets/${String(id)}/reveal`, { json: { key } })).status).toBe(410);
});

test("lists members by name with the time they were made", async () => {
  await admin("user add aaron");
  const { out } = await admin("user list");
  expect(out.split("\n")[0]).toBe(`aaron\t${new Date(service.clock.now * 1000).toISOString()}`);
});

test.each([
  ["user add Alice", 1, "A name is"],
  ["user add aaron", 1, "is taken"],
  ["user add fine --password-stdin", 1, "10 to 256"],
  ["user reset nobody", 1, "no member"],
  ["user delete nobody --secrets keep", 1, "no member"],
  ["user add", 2, "npm run admin"],
  ["user add a b", 2, "npm run admin"],
  ["user list all", 2, "npm run admin"],
  ["user rename x", 2, "npm run admin"],
  ["", 2, "npm run admin"],
  ["user list --loud", 2, "--loud"],
])("answers %j with exit code %i and says why", async (line, code, reason) => {
  const answer = await admin(line, "short");
  expect(answer).toMatchObject({ code, out: "" });
  expect(answer.err).toContain(reason);
});

test("works as a program on the database of the server", async () => {
  const path = join(makeTempFolder(), "service.db");
  const program = fileURLToPath(new URL("../../../admin.ts", import.meta.url));
  const env = { ...process.env, DATABASE_URL: path };
  const out = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      nodePath(),
      ["--no-warnings", program, "user", "add", "carol", "--password-stdin"],
      { env },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end("correct horse");
  });
  expect(out).toMatch(/^name\tcarol\nrecovery code\t[A-Z2-7]{24}\n$/);
  const db = await openDatabase(path);
  expect((await findMember(db, { name: "carol" }))?.password).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  await db.close();
});
