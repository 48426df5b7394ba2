// process
// A service and its administration in one process, on files.
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import "../../../support/cheap-passwords.ts";
import { administer, type AdminWork } from "../../../../server/administration.ts";
import { createServer, type ServerOptions } from "../../../../server/index.ts";
import { makeTempFolder } from "../../../support/temp-folder.ts";
import { codeAt } from "../../../support/totp.ts";

const [FIRST, SECOND] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString("base64"));
const PASSWORD = "correct horse";
let folder: string;
let path: string;
let file: string;
beforeEach(() => {
  folder = makeTempFolder();
  [path, file] = [join(folder, "service.db"), join(folder, "instance.key")];
});

type Answer = Record<string, unknown> & { status: number; cookie: string };

/** Runs a service while somebody calls it. */
async function whileServed<T>(
  work: (post: (path: string, json: object, cookie?: string) => Promise<Answer>) => Promise<T>,
  options: Partial<ServerOptions> = {},
): Promise<T> {
  const server = await createServer({
    publicUrl: "http://hush.test",
    databaseUrl: path,
    workers: 1,
    ...options,
  });
  const post = async (to: string, json: object, cookie = ""): Promise<Answer> => {
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie };
    const request = new Request(`http://hush.test${to}`, {
      method: "POST",
      body: JSON.stringify(json),
      headers,
    });
    const answer = await server.fetch(request, { address: "127.0.0.1" });
    const [set = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    return { ...((await answer.json()) as object), status: answer.status, cookie: set };
  };
  return work(post).finally(server.close);
}

interface Enrolled {
  readonly name: string;
  readonly secret: string;
  readonly recoveryCode: string;
}

/** A member with an authenticator app, whose code of now is not used yet. */
function enrol(name: string, options: Partial<ServerOptions> = {}): Promise<Enrolled> {
  return whileServed(async (post) => {
    const { cookie, recoveryCode } = await post("/api/account/register", { name, password: PASSWORD });
    const { secret } = await post("/api/users/me/totp", {}, cookie);
    const code = codeAt(String(secret), Date.now() / 1000 - 30);
    expect((await post("/api/users/me/totp/confirm", { code }, cookie)).status).toBe(200);
    return { name, secret: String(secret), recoveryCode: String(recoveryCode) };
  }, options);
}

/** The status of a login with the code of now. */
function logIn({ name, secret }: Enrolled, options: Partial<ServerOptions> = {}) {
  return whileServed(async (post) => {
    const code = codeAt(secret, Date.now() / 1000);
    return (await post("/api/account/login", { name, password: PASSWORD, code })).status;
  }, options);
}

async function run(work: AdminWork, env: Record<string, string | undefined> = {}) {
  const { exitCode, out, err } = await administer({ DATABASE_URL: path, ...env }, work);
  const shown = Object.fromEntries(out.map((line) => line.split("\t") as [string, string]));
  return { exitCode, shown, err: err.join("\n") };
}
const rotate = (env: Record<string, string> = {}, isLost = false) =>
  run((admin) => admin.rotateKey({ isLost }), env);
const check = (env: Record<string, string> = {}) => run((admin) => admin.check({ confirm: false }), env);
const readKey = (name: string) => readFileSync(name, "utf8").trim();

test("a new key takes the place of the old one, which stays beside; authenticator apps go on working", async () => {
  const ann = await enrol("ann");
  const old = readKey(file);
  const { exitCode, shown, err } = await rotate();
  expect([exitCode, shown]).toEqual([
    0,
    {
      key: file,
      "old key": expect.stringMatching(/instance\.key\.before-\d{8}T\d{9}Z$/),
      "authenticator apps": "1",
      ended: expect.stringContaining("logins that are under way"),
    },
  ]);
  expect(err).toContain('"event":"key_rotated"');
  expect([readKey(shown["old key"] ?? ""), readKey(file) === old]).toEqual([old, false]);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => /next|part/.test(name))).toEqual([]);
  for (const key of [old, readKey(file)]) expect(err + JSON.stringify(shown)).not.toContain(key);
  expect(await logIn(ann)).toBe(200);
});

test("a key file that is a link stays one, and leads to the new key", async () => {
  const ann = await enrol("ann");
  const there = join(makeTempFolder(), "there.key");
  renameSync(file, there);
  symlinkSync(there, file);
  const old = readKey(there);
  expect((await rotate()).exitCode).toBe(0);
  expect(readlinkSync(file)).toBe(there);
  expect(readKey(there)).not.toBe(old);
  expect(await logIn(ann)).toBe(200);
});

test("takes the key of INSTANCE_KEY_NEXT", async () => {
  await enrol("ann");
  expect((await rotate({ INSTANCE_KEY_NEXT: SECOND! })).exitCode).toBe(0);
  expect(readKey(file)).toBe(SECOND);
  expect((await check()).shown.key).toBe("ok");
});

test("does nothing while a server has the database open", async () => {
  await enrol("ann");
  const old = readKey(file);
  const refused = await whileServed(() => rotate());
  expect(refused).toMatchObject({ exitCode: 1, err: expect.stringMatching(/in use: stop the server first/) });
  expect(readKey(file)).toBe(old);
  expect((await check()).shown.key).toBe("ok");
});

test("leaves no next key behind where it is refused, so that another one can be given later", async () => {
  await enrol("ann");
  const old = readKey(file);
  const refuse = async (said: RegExp) => {
    expect(await rotate()).toMatchObject({ exitCode: 1, err: expect.stringMatching(said) });
    expect(readdirSync(folder).filter((name) => /next|part/.test(name))).toEqual([]);
  };
  await whileServed(() => refuse(/in use: stop the server first/));
  writeFileSync(file, `${FIRST}\n`);
  await refuse(/is not the one that the database was encrypted with/);
  writeFileSync(file, `${old}\n`);
  const whole = readFileSync(path);
  truncateSync(path, 5_000);
  await refuse(/damaged/);
  writeFileSync(path, whole);
  expect((await rotate({ INSTANCE_KEY_NEXT: SECOND! })).exitCode).toBe(0);
  expect(readKey(file)).toBe(SECOND);
});

test("goes on from wherever it was cut off", async () => {
  const ann = await enrol("ann");
  const bob = await enrol("bob");
  // After the first step: the new key is in its file.
  writeFileSync(`${file}.next`, `${SECOND}\n`, { mode: 0o600 });
  expect((await check()).shown.key).toBe("ok");
  const { shown } = await rotate();
  expect(readKey(file)).toBe(SECOND);
  // After the second: the database is sealed with it. It has not got its name yet.
  const aside = shown["old key"] ?? "";
  renameSync(file, `${file}.next`);
  copyFileSync(aside, file);
  const unfinished = "The change of the key was not finished: run `hushkit admin rotate-key` again.";
  expect(await check()).toMatchObject({ exitCode: 1, shown: { key: unfinished } });
  await expect(whileServed(async () => {})).rejects.toThrow(unfinished);
  expect(await rotate({ INSTANCE_KEY_NEXT: FIRST! })).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining("run the command without INSTANCE_KEY_NEXT first"),
  });
  expect((await rotate()).exitCode).toBe(0);
  expect([readKey(file), existsSync(`${file}.next`)]).toEqual([SECOND, false]);
  expect([await logIn(ann), await logIn(bob)]).toEqual([200, 200]);
});

test("where the key is INSTANCE_KEY, the new one is INSTANCE_KEY_NEXT, and no file is made", async () => {
  const ann = await enrol("ann", { instanceKey: FIRST! });
  expect(await rotate({ INSTANCE_KEY: FIRST! })).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining("set the new one in INSTANCE_KEY_NEXT"),
  });
  const env = { INSTANCE_KEY: FIRST!, INSTANCE_KEY_NEXT: SECOND! };
  const { exitCode, shown } = await rotate(env);
  expect([exitCode, shown]).toMatchObject([0, { "authenticator apps": "1", "to do": expect.any(String) }]);
  // Cut off behind the database, it is only repeated.
  expect(await rotate(env)).toMatchObject({ exitCode: 0, shown: { "authenticator apps": "0" } });
  expect((await check({ INSTANCE_KEY: FIRST! })).shown.key).toContain(
    "The key of INSTANCE_KEY is not the one",
  );
  expect((await check({ INSTANCE_KEY: SECOND! })).shown.key).toBe("ok");
  expect(existsSync(file)).toBe(false);
  expect(await logIn(ann, { instanceKey: SECOND! })).toBe(200);
});

test("a lost key is given up in so many words: no code is right then, and the recovery code logs in", async () => {
  const ann = await enrol("ann");
  rmSync(file);
  const missing = `The key that the database was encrypted with is missing: put the file ${file} back`;
  expect(await check()).toMatchObject({ exitCode: 1, shown: { key: expect.stringContaining(missing) } });
  await expect(whileServed(async () => {})).rejects.toThrow(missing);
  expect(await rotate()).toMatchObject({ exitCode: 1, err: expect.stringContaining("--lost") });
  expect(existsSync(file)).toBe(false);
  const { exitCode, shown } = await rotate({}, true);
  expect([exitCode, shown]).toMatchObject([0, { "authenticator apps": "0", "authenticator apps lost": "1" }]);
  const statuses = await whileServed(async (post) => {
    const login = { name: ann.name, password: PASSWORD };
    const code = codeAt(ann.secret, Date.now() / 1000);
    return [
      (await post("/api/account/login", login)).status,
      (await post("/api/account/login", { ...login, code })).status,
      (await post("/api/account/login", { ...login, code: ann.recoveryCode })).status,
    ];
  });
  expect(statuses).toEqual([401, 422, 200]);
  // Seeds that nothing opens do not stop the next change.
  expect((await rotate()).shown).toMatchObject({ "authenticator apps lost": "1" });
});

test("a backup has no key in it and says where that is; restored without it, it says so and is not served", async () => {
  const ann = await enrol("ann");
  const copy = join(folder, "backup.db");
  const { shown } = await run((admin) => admin.backUp(copy));
  expect(shown.key).toBe(`not in the backup: keep that of ${file} too, and not beside it`);
  const [bytes, key] = [readFileSync(copy), readKey(file)];
  for (const text of [key, Buffer.from(key, "base64")]) expect(bytes.includes(text)).toBe(false);
  const kept = join(makeTempFolder(), "kept.key");
  renameSync(file, kept);
  const restore: AdminWork = (admin) => admin.restore(copy, { secrets: "keep" });
  const without = await run(restore);
  expect(without).toMatchObject({ exitCode: 0, shown: { key: expect.stringContaining("is missing") } });
  writeFileSync(file, `${FIRST}\n`, { mode: 0o600 });
  const other = await run(restore);
  expect(other.shown.key).toContain(`The key of ${file} is not the one that the database was encrypted with`);
  await expect(whileServed(async () => {})).rejects.toThrow("is not the one");
  copyFileSync(kept, file);
  expect((await run(restore)).shown).not.toHaveProperty("key");
  expect(await logIn(ann)).toBe(200);
});

test("a database that has moved is served with the same key and no other one", async () => {
  const ann = await enrol("ann");
  const to = join(makeTempFolder(), "service.db");
  const toFile = join(folder, "to.url");
  writeFileSync(toFile, `${to}\n`, { mode: 0o600 });
  const { shown } = await run((admin) => admin.move({ toFile }));
  expect(shown.key).toContain(`take that of ${file} along`);
  await expect(whileServed(async () => {}, { databaseUrl: to })).rejects.toThrow("is missing");
  expect(await logIn(ann, { databaseUrl: to, instanceKey: readKey(file) })).toBe(200);
});
