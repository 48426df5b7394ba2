import {
  closeSync,
  copyFileSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { expect, test } from "vitest";
import { DatabaseUnavailable, openDatabase } from "../../../db/open.ts";
import { insertSecret } from "../../../db/secrets/secrets.ts";
import { newSecret } from "../support/fixtures.ts";
import { makeSqlite, useDatabase } from "../support/harness.ts";

const CHANGES: Record<string, (path: string) => void> = {
  "the file is moved": (path) => renameSync(path, `${path}.moved`),
  "the file is deleted": (path) => rmSync(path),
  "a copy takes the place of the file": (path) => {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
  "the file is emptied": (path) => truncateSync(path),
  "the log is deleted": (path) => rmSync(`${path}-wal`),
};

test.each(Object.entries(CHANGES))("once %s nothing is acknowledged any more", async (_, change) =>
  useDatabase(makeSqlite, async (db, { url }) => {
    const heard: unknown[] = [];
    db.onUnavailable((error) => heard.push(error.cause));
    expect(await insertSecret(db, newSecret())).toBe(true);
    change(url);
    for (let i = 0; i < 2; i++) {
      await expect(insertSecret(db, newSecret())).rejects.toThrow(DatabaseUnavailable);
      await expect(db.ping()).rejects.toThrow(DatabaseUnavailable);
      await expect(db.checkpoint()).rejects.toThrow(DatabaseUnavailable);
    }
    expect(heard[0]).toMatchObject({ code: "database_replaced" });
  }),
);

test("a file that was moved away and back stays refused until it is opened again", async () =>
  useDatabase(makeSqlite, async (db, { url, open }) => {
    await db.ping();
    renameSync(url, `${url}.moved`);
    await expect(db.ping()).rejects.toThrow(DatabaseUnavailable);
    renameSync(`${url}.moved`, url);
    await expect(db.ping()).rejects.toThrow(DatabaseUnavailable);
    const again = await open();
    await again.ping();
    await again.close();
  }));

test("a damaged page is an outage with SQLite's code", async () => {
  const place = await makeSqlite();
  const whole = await place.open();
  await insertSecret(whole, newSecret());
  await whole.close();
  const db = await place.open();
  await db.checkpoint();
  // All but the first page, which has the header and the schema's root.
  const file = openSync(place.url, "r+");
  writeSync(file, new Uint8Array(65_536).fill(0xff), 0, 65_536, 4_096);
  closeSync(file);
  await db.close();
  const error: unknown = await openDatabase(place.url)
    .then((again) => insertSecret(again, newSecret()).finally(() => again.close()))
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(error).toMatchObject({ cause: { code: expect.stringMatching(/^SQLITE_(CORRUPT|NOTADB)/) } });
  await place.drop();
});

test("a file that is no database is refused as unavailable", async () => {
  const place = await makeSqlite();
  writeFileSync(place.url, "This is a text and no database. ".repeat(200));
  await expect(openDatabase(place.url)).rejects.toMatchObject({
    name: "DatabaseUnavailable",
    cause: { code: "SQLITE_NOTADB" },
  });
  await place.drop();
});
