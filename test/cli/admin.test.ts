// slow
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findMember } from "../../db/accounts/members.ts";
import { openDatabase } from "../../db/open.ts";
import { testIf } from "../machine/skips.ts";
import { openShell } from "./support/terminal.ts";

/** `hushkit admin` on a database of its own, with the words of a line; '' is an empty one. */
function openAdmin() {
  const { path, run } = openShell();
  const env = { DATABASE_URL: path("service.db") };
  const admin = (line: string, stdin = "", more: Record<string, string> = {}) => {
    const words = line.split(" ").filter((word) => word !== "");
    const typed = { stdin, env: { ...env, ...more } };
    return run(["admin", ...words.map((word) => word.replace("''", ""))], typed);
  };
  return { admin, path };
}

test("adds a member with a password from standard input, and says so to the log alone", async () => {
  const { admin, path } = openAdmin();
  const added = await admin("user add bob --password-stdin", "correct horse\n");
  expect(added).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^name\tbob\nrecovery code\t\w{26}\n$/),
  });
  expect(JSON.parse(added.err)).toMatchObject({ event: "account_added", kind: "security" });
  const db = await openDatabase(path("service.db"));
  expect((await findMember(db, { name: "bob" }))?.password).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  await db.close();
});

test.each([
  ...["list", "reset ann", "delete ann --secrets keep", "role ann admin", "disable ann", "enable ann"],
])("makes no empty database where DATABASE_URL names none: user %s", async (words) => {
  const { admin, path } = openAdmin();
  const file = path("service.db");
  const err = `There is no database at ${file}; DATABASE_URL names the one to work on.\n`;
  expect(await admin(`user ${words}`)).toMatchObject({ code: 1, out: "", err });
  expect(existsSync(file)).toBe(false);
});

test.each([
  ...["user list", "user add ann", "check", "rotate-key --lost", "move"],
  ...["backup ./backup.db", "restore ./backup.db"],
])("works on no database in memory, which nobody else could see: %s", async (words) => {
  const err =
    "DATABASE_URL names a database in memory, which is gone with its process; " +
    "name the file or the PostgreSQL to work on.\n";
  const ended = await openAdmin().admin(words, "", { DATABASE_URL: ":memory:" });
  expect(ended).toMatchObject({ code: 1, out: "", err });
});

test("makes administrators, disables and enables members, and lists who is what", async () => {
  const { admin } = openAdmin();
  for (const name of ["ann", "bob"]) await admin(`user add ${name}`);
  const made = await admin("user role ann admin");
  expect(made).toMatchObject({ code: 0, out: "admin\tann\n" });
  expect(JSON.parse(made.err)).toMatchObject({ event: "role_changed", kind: "security" });
  const disabled = await admin("user disable bob");
  expect(disabled).toMatchObject({ code: 0, out: "disabled\tbob\n" });
  expect(JSON.parse(disabled.err)).toMatchObject({ event: "account_disabled" });
  const list = async () => (await admin("user list")).out.replace(/\t2[^\t\n]*Z\t\w{16}/g, "");
  expect(await list()).toBe("ann\tadmin\nbob\tdisabled\n");
  expect(await admin("user role ann member")).toMatchObject({ code: 0, out: "member\tann\n" });
  expect(await admin("user enable bob")).toMatchObject({ code: 0, out: "enabled\tbob\n" });
  expect(await list()).toBe("ann\nbob\n");
  expect(await admin("user role ann owner")).toMatchObject({
    code: 2,
    err: expect.stringContaining("admin, member"),
  });
  expect(await admin("user disable nobody")).toMatchObject({
    code: 1,
    err: expect.stringContaining('no member with the name "nobody"'),
  });
});

test("adds, lists, resets and deletes members", async () => {
  const { admin } = openAdmin();
  const shown = /^name\tann\npassword\t\w{22}\nrecovery code\t\w{26}\n$/;
  expect(await admin("user add ann")).toMatchObject({ code: 0, out: expect.stringMatching(shown) });
  const reset = await admin("user reset ann --keep tokens passkeys");
  const ends =
    "sessions\t0 ended\ntokens\tkept\npasskeys\tkept\ntotp\t0 ended\nidentities\t0 ended\nhooks\t0 ended\n";
  expect(reset).toMatchObject({ code: 0, out: expect.stringContaining(ends) });
  expect(await admin("user list")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ann\t2.*Z\t\w{16}$/m),
  });
  const deleted = await admin("user delete --secrets=keep ann");
  expect(deleted).toMatchObject({ code: 0, out: "deleted\tann\n" });
});

test("backs up, checks, moves and restores the database", async () => {
  const { admin, path } = openAdmin();
  await admin("user add ann");
  const file = path("backup.db");
  const copied = `file\t${file}\nbytes\t`;
  expect(await admin(`backup ${file}`)).toMatchObject({ code: 0, out: expect.stringContaining(copied) });
  expect(await admin("check")).toMatchObject({ code: 0, out: expect.stringMatching(/^integrity\tok\n/) });
  const looked = await admin("check --no-confirm");
  expect(looked).toMatchObject({ code: 0, out: expect.stringMatching(/^clock\tok$/m) });
  const moved = await admin("move", "", { MOVE_TO_DATABASE_URL: path("other.db") });
  expect(moved).toMatchObject({ code: 0, out: expect.stringMatching(/^member\t1\nsession\t0\n/) });
  for (const secrets of ["", " --secrets keep"]) {
    const restored = await admin(`restore ${file}${secrets}`);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining(`restored\t${file}\n`) });
  }
});

test.each([
  ["user add Alice", "A name is"],
  ["user add fine --password-stdin", "A password is"],
  ["user reset nobody", "There is no member"],
  ["user delete nobody --secrets keep", "There is no member"],
  ["restore /nowhere/backup.db", "/nowhere/backup.db: There is no such file"],
])("ends %j with 1, and says why in a sentence", async (line, reason) => {
  const { admin } = openAdmin();
  await admin("user add ann");
  const ended = await admin(line, "short");
  expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringMatching(`^${reason}.*\\.\n$`) });
});

const FULL_DISK = "/dev/full";
const onFullDisk = testIf(existsSync(FULL_DISK), "needs /dev/full");

onFullDisk(
  "reports what it has done also where no audit line can be written, and logs that line",
  async () => {
    const { admin, path } = openAdmin();
    await admin("user add ann");
    const lines = (err: string): object[] =>
      err
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object);
    const done = [
      [`backup ${path("b.db")}`, "file\t", "admin.backed_up"],
      [`restore ${path("b.db")}`, "restored\t", "admin.restored"],
      ["rotate-key --lost", "key\t", "admin.key_rotated"],
      ["move", "member\t1\n", "admin.moved"],
    ] as const;
    for (const [line, report, event] of done) {
      const ended = await admin(line, "", { AUDIT_LOG: FULL_DISK, MOVE_TO_DATABASE_URL: path("other.db") });
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(report) });
      expect(lines(ended.err)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ event: "fault", requestId: "audit", code: "ENOSPC" }),
          expect.objectContaining({ event, kind: "audit" }),
        ]),
      );
    }
  },
);

test("moves to the database of a file that is its owner's alone", async () => {
  const { admin, path } = openAdmin();
  await admin("user add ann");
  const file = path("to.url");
  writeFileSync(file, `${path("other.db")}\n`, { mode: 0o600 });
  expect(await admin(`move --to-file ${file}`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^member\t1\n/),
  });
});

test("moves nowhere without one other database, and says how it is named", async () => {
  const { admin, path } = openAdmin();
  await admin("user add ann");
  const file = path("to.url");
  const say = async (line: string, more: Record<string, string> = {}) => {
    const ended = await admin(line, "", more);
    expect(ended).toMatchObject({ code: 1, out: "" });
    return ended.err;
  };
  expect(await say("move")).toMatch(
    /^The other database is missing: set MOVE_TO_DATABASE_URL, or .* --to-file FILE\.\n$/,
  );
  expect(await say("move", { MOVE_TO_DATABASE_URL: ":memory:" })).toContain("is one in memory");
  expect(await say(`move --to-file ${file}`)).toBe(`--to-file: ${file} cannot be read (ENOENT).\n`);
  const folder = await say(`move --to-file ${path(".")}`);
  expect(folder).toMatch(
    process.platform === "win32" ? /cannot be read/ : /is a folder; name a file in it\.$/m,
  );
  writeFileSync(file, "mysql://ann:hunter2@db/hushkit", { mode: 0o600 });
  const wrong = `--to-file: ${file} must hold the path of a SQLite file without quotes, ~, $NAME and %NAME%, which nothing replaces, or a postgres:// URL.\n`;
  expect(await say(`move --to-file ${file}`)).toBe(wrong);
  const both = { MOVE_TO_DATABASE_URL: path("other.db") };
  expect(await say(`move --to-file ${file}`, both)).toContain("are both given");
  const unread = await say("move", { MOVE_TO_DATABASE_URL: "mysql://ann:hunter2@db/hushkit" });
  expect(unread).toMatch(/^MOVE_TO_DATABASE_URL must be none, or the path of a SQLite file/);
  expect(unread).not.toContain("hunter2");
  expect(existsSync(path("other.db"))).toBe(false);
});

test.skipIf(process.platform === "win32").each([0o644, 0o640, 0o604])(
  "reads no URL from a file of mode %o, which others can read",
  async (mode) => {
    const { admin, path } = openAdmin();
    await admin("user add ann");
    const file = path("to.url");
    writeFileSync(file, path("other.db"));
    chmodSync(file, mode);
    const said = `--to-file: ${file} is open to others (its mode is 0${mode.toString(8)}); mend that with: chmod 600 ${file}`;
    expect(await admin(`move --to-file ${file}`)).toMatchObject({ code: 1, out: "", err: `${said}\n` });
    expect(existsSync(path("other.db"))).toBe(false);
  },
);

test.each([
  ["move postgres://ann:hunter2@db.internal/hushkit", "MOVE_TO_DATABASE_URL or --to-file FILE"],
  ["move -- POSTGRESQL://ann:hunter2@db.internal/hushkit", "MOVE_TO_DATABASE_URL or --to-file FILE"],
  ["move --to-file=postgres://ann:hunter2@db.internal/hushkit", "MOVE_TO_DATABASE_URL or --to-file FILE"],
  ["move postgress://ann:hunter2@db.internal/hushkit", "MOVE_TO_DATABASE_URL or --to-file FILE"],
  ["backup postgres://ann:hunter2@db.internal/hushkit", "DATABASE_URL"],
  ["restore postgres://ann:hunter2@db.internal/hushkit", "DATABASE_URL"],
  ["check postgres://ann:hunter2@db.internal/hushkit", "DATABASE_URL"],
])("takes no URL of a database as an argument: %j", async (line, advice) => {
  const ended = await openAdmin().admin(line);
  expect(ended).toMatchObject({ code: 2, out: "", err: expect.stringContaining(advice) });
  expect(ended.err).toContain("everybody on this machine can read the arguments");
  expect(ended.err).not.toContain("hunter2");
});

test("ends with 1 where a setting is wrong", async () => {
  const ended = await openShell().run(["admin", "check"], { env: { PORT: "many" } });
  expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringContaining("PORT") });
});

test.each([
  ["", "hushkit admin user list"],
  ["user", "hushkit admin user add ann"],
  ["nonsense", "hushkit: unknown command 'nonsense'"],
  ["user rename x", "hushkit: unknown command 'rename'"],
  ["user add", "hushkit: missing required argument 'name'"],
  ["user add a b", "hushkit: too many arguments"],
  ["user add ''", "hushkit: .*It is empty"],
  ["user add ann --password secret", "hushkit: --password is not taken"],
  ["user list all", "hushkit: too many arguments"],
  ["user list --loud", "hushkit: unknown option '--loud'"],
  ["user delete ann", "hushkit: required option '--secrets"],
  ["user delete ann --secrets all", "hushkit: .* keep, revoke"],
  ["restore a.db --secrets all", "hushkit: .* keep, revoke"],
  ["backup", "hushkit: missing required argument 'file'"],
  ["backup ''", "hushkit: .*It is empty"],
  ["move other.db", "hushkit: too many arguments"],
  ["check now", "hushkit: too many arguments"],
])("ends %j with 2, and says what is possible", async (line, reason) => {
  const { admin, path } = openAdmin();
  const ended = await admin(line);
  expect(ended).toMatchObject({ code: 2, out: "", err: expect.stringMatching(new RegExp(reason)) });
  expect(existsSync(path("service.db"))).toBe(false);
});
