import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Database } from "../../../db/open.ts";
import {
  adoptInstanceKey,
  deriveInstanceKeys,
  isKeyOf,
  makeInstanceKey,
} from "../../../router/instance-key.ts";
import type { Config } from "../../config/settings.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { KeyRefused, makeKeyFile, readKeyFile } from "./key-file.ts";

/** The default folder for data, and for the key of an instance whose data is in PostgreSQL. */
const FOLDER = "data";
const NAME = "instance.key";

const LOST_KEY_HINT =
  "If it is lost, `hushkit admin rotate-key --lost` goes on without it: members with an authenticator app then log in " +
  "with their recovery code.";

type KeySettings = Pick<Config, "databaseUrl" | "instanceKey">;

/** The file with a database's key, used where INSTANCE_KEY is not set; undefined for a database in memory. */
export function keyFileOf(databaseUrl: string): string | undefined {
  if (databaseUrl === ":memory:") return undefined;
  const isPostgres = /^postgres(ql)?:\/\//.test(databaseUrl);
  const file = join(isPostgres ? FOLDER : dirname(databaseUrl), NAME);
  // A new key that took the place of a link would be on another disk than the one that was chosen.
  return existsSync(file) && lstatSync(file).isSymbolicLink() ? realpathSync(file) : file;
}

/** The file of the next key while keys are being changed. */
export function nextKeyFileOf(file: string): string {
  return `${file}.next`;
}

/**
 * The key to serve a database with. The first start makes one, in a file or, for a database in memory, for this
 * process; `madeFile` is that file. `check` is the check value in the database; undefined before the first start.
 * @throws KeyRefused
 */
export function findInstanceKey(
  settings: KeySettings,
  check: Bytes | undefined,
): { readonly key: Bytes; readonly madeFile?: string } {
  const key = readKey(settings);
  if (key) {
    checkKey(key, settings, check);
    return { key };
  }
  if (check) throw missingKeyError(settings);
  const file = keyFileOf(settings.databaseUrl);
  const fresh = makeInstanceKey();
  return file === undefined ? { key: fresh } : { key: makeKeyFile(file, fresh), madeFile: file };
}

/** Like `findInstanceKey`, and binds the database to the key. @throws KeyRefused */
export async function openInstanceKey(
  settings: KeySettings,
  check: Bytes | undefined,
  db: Database,
): Promise<ReturnType<typeof findInstanceKey>> {
  const found = findInstanceKey(settings, check);
  // Another process may have been first, with its own key.
  if (!(await adoptInstanceKey(db, deriveInstanceKeys(found.key)))) throw wrongKeyError(settings);
  return found;
}

/** What is wrong with a database's key, if anything. A database without one yet is fine. */
export function findKeyFault(settings: KeySettings, check: Bytes | undefined): string | undefined {
  try {
    const key = readKey(settings);
    if (key) checkKey(key, settings, check);
    return key === undefined && check ? missingKeyError(settings).message : undefined;
  } catch (error) {
    if (error instanceof KeyRefused) return error.message;
    throw error;
  }
}

/** Where the key is, to show to people. */
export function describePlace({ databaseUrl, instanceKey }: KeySettings): string {
  return instanceKey ? "INSTANCE_KEY" : (keyFileOf(databaseUrl) ?? "memory");
}

/** The database was encrypted with another key. */
export function wrongKeyError(settings: KeySettings): KeyRefused {
  const next = settings.instanceKey ? "set the one that was used" : "put the one back that was used";
  return new KeyRefused(
    `The key of ${describePlace(settings)} is not the one that the database was encrypted with; ${next}. ${LOST_KEY_HINT}`,
  );
}

function readKey({ databaseUrl, instanceKey }: KeySettings): Bytes | undefined {
  const file = keyFileOf(databaseUrl);
  return instanceKey ?? (file === undefined ? undefined : readKeyFile(file));
}

function checkKey(key: Bytes, settings: KeySettings, check: Bytes | undefined): void {
  if (check === undefined || isKeyOf(key, check)) return;
  throw isUnfinished(settings, check)
    ? new KeyRefused("The change of the key was not finished: run `hushkit admin rotate-key` again.")
    : wrongKeyError(settings);
}

function isUnfinished({ databaseUrl, instanceKey }: KeySettings, check: Bytes): boolean {
  const file = keyFileOf(databaseUrl);
  if (instanceKey || file === undefined) return false;
  const next = readKeyFile(nextKeyFileOf(file));
  return next !== undefined && isKeyOf(next, check);
}

function missingKeyError(settings: KeySettings): KeyRefused {
  return new KeyRefused(
    `The key that the database was encrypted with is missing: put the file ${keyFileOf(settings.databaseUrl)} back, or set ` +
      `INSTANCE_KEY. ${LOST_KEY_HINT}`,
  );
}
