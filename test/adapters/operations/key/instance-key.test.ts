import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  findInstanceKey,
  findKeyFault,
  keyFileOf,
} from "../../../../adapters/operations/key/instance-key.ts";
import { KeyRefused, makeKeyFile } from "../../../../adapters/operations/key/key-file.ts";
import { deriveInstanceKeys, makeInstanceKey } from "../../../../router/instance-key.ts";
import { makeTempFolder } from "../../../support/temp-folder.ts";

const OTHER = new Uint8Array(32).fill(3);
const checkOf = (key: Uint8Array<ArrayBuffer>) => deriveInstanceKeys(key).check;

function makePlace({ instanceKey }: { instanceKey?: Uint8Array<ArrayBuffer> } = {}) {
  const folder = makeTempFolder();
  const place = { databaseUrl: join(folder, "service.db"), instanceKey };
  return { folder, file: join(folder, "instance.key"), place };
}

test("the file is beside SQLite's, for PostgreSQL in the folder data, and nowhere for a database in memory", () => {
  expect(keyFileOf("/var/lib/hushkit/service.db")).toBe(join("/var/lib/hushkit", "instance.key"));
  expect(keyFileOf("service.db")).toBe("instance.key");
  for (const url of ["postgres://hush@db/hush", "postgresql://hush@db/hush"])
    expect(keyFileOf(url)).toBe(join("data", "instance.key"));
  expect(keyFileOf(":memory:")).toBeUndefined();
});

test("the first start makes a file of 32 random bytes for its owner alone, and the next one reads it", () => {
  const { folder, file, place } = makePlace();
  const { key, madeFile } = findInstanceKey(place, undefined);
  expect([key.length, madeFile]).toEqual([32, file]);
  expect(readFileSync(file, "utf8")).toBe(`${Buffer.from(key).toString("base64")}\n`);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["instance.key"]);
  expect(findInstanceKey(place, checkOf(key))).toEqual({ key });
});

test("of two that make the file at once the first one's key is that of both", () => {
  const { file } = makePlace();
  const [first, second] = [makeInstanceKey(), makeInstanceKey()];
  expect(makeKeyFile(file, first)).toEqual(first);
  expect(makeKeyFile(file, second)).toEqual(first);
});

test("INSTANCE_KEY is used as it is, and no file is looked at", () => {
  const { folder, file, place } = makePlace({ instanceKey: OTHER });
  writeFileSync(file, "no key", { mode: 0o644 });
  expect(findInstanceKey(place, checkOf(OTHER))).toEqual({ key: OTHER });
  expect(readdirSync(folder)).toEqual(["instance.key"]);
});

test("each database in memory has a key of its own", () => {
  const place = { databaseUrl: ":memory:", instanceKey: undefined };
  const [one, two] = [1, 2].map(() => findInstanceKey(place, undefined));
  expect(one!.key).not.toEqual(two!.key);
});

describe("a database that was sealed is served with no other key, and none is made:", () => {
  const refused = (
    place: Parameters<typeof findInstanceKey>[0],
    check: Uint8Array<ArrayBuffer> | undefined,
  ) => {
    const fault = findKeyFault(place, check) ?? "";
    expect(() => findInstanceKey(place, check)).toThrow(new KeyRefused(fault));
    return fault;
  };

  test("the file is gone", () => {
    const { folder, file, place } = makePlace();
    const said = refused(place, checkOf(OTHER));
    expect(said).toContain(`is missing: put the file ${file} back, or set INSTANCE_KEY. If it is lost, `);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(["file", "INSTANCE_KEY"])("the one of %s is another", (where) => {
    const own = makeInstanceKey();
    const { file, place } = makePlace(where === "file" ? {} : { instanceKey: own });
    if (where === "file") makeKeyFile(file, own);
    const said = refused(place, checkOf(OTHER));
    expect(said).toContain(`The key of ${where === "file" ? file : where} is not the one that the database`);
    expect(said).toContain("`hushkit admin rotate-key --lost`");
    for (const kind of ["base64", "base64url", "hex"] as const)
      expect(said).not.toContain(Buffer.from(own).toString(kind).slice(0, 40));
  });

  test("its change was not finished", () => {
    const { file, place } = makePlace();
    makeKeyFile(file, makeInstanceKey());
    makeKeyFile(`${file}.next`, OTHER);
    expect(refused(place, checkOf(OTHER))).toContain("run `hushkit admin rotate-key` again");
  });

  test.skipIf(process.platform === "win32").each([0o640, 0o604, 0o660, 0o644, 0o610])(
    "its file has mode %o, also where the database has no key yet",
    (mode) => {
      const { file, place } = makePlace();
      makeKeyFile(file, OTHER);
      chmodSync(file, mode);
      const shown = mode.toString(8).padStart(4, "0");
      const said = `The key file ${file} is open to others (its mode is ${shown}); mend that with: chmod 600 ${file}`;
      expect([refused(place, checkOf(OTHER)), refused(place, undefined)]).toEqual([said, said]);
      chmodSync(file, 0o400);
      expect(findInstanceKey(place, checkOf(OTHER))).toEqual({ key: OTHER });
    },
  );

  test.each(["", "short", "A".repeat(42), `${"A".repeat(43)}\n${"A".repeat(43)}`])(
    "its file holds something else: %j",
    (content) => {
      const { file, place } = makePlace();
      writeFileSync(file, content, { mode: 0o600 });
      const said = refused(place, undefined);
      expect(said).toBe(`The key file ${file} must hold 32 bytes in base64; put the whole file back.`);
    },
  );

  // Windows opens no folder.
  test.skipIf(process.platform === "win32").each([0o700, 0o755])(
    "its file is a folder of mode %o, which stays as it is",
    (mode) => {
      const { file, place } = makePlace();
      mkdirSync(file, { mode });
      expect(refused(place, undefined)).toBe(`The key file ${file} is a folder; name a file in it.`);
    },
  );
});

test("a database that has no key yet is no fault, and looking at it makes none", () => {
  const { file, place } = makePlace();
  expect(findKeyFault(place, undefined)).toBeUndefined();
  expect(existsSync(file)).toBe(false);
});

test("a folder that cannot be written to is told with the way out", () => {
  const { folder } = makePlace();
  writeFileSync(join(folder, "no-folder"), "");
  const place = { databaseUrl: join(folder, "no-folder", "service.db"), instanceKey: undefined };
  expect(() => findInstanceKey(place, undefined)).toThrow(KeyRefused);
  expect(() => makeKeyFile(join(folder, "no-folder", "instance.key"), OTHER)).toThrow(
    /cannot be made \(E\w+\); make its folder writable, or set INSTANCE_KEY\.$/,
  );
});
