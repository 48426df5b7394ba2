import { rmSync } from "node:fs";
import type { DatabaseAccess } from "../../../db/backup/backups.ts";
import { AdminError } from "../../../router/administration.ts";
import {
  deriveInstanceKeys,
  isKeyOf,
  makeInstanceKey,
  replaceInstanceKey,
} from "../../../router/instance-key.ts";
import type { Config } from "../../config/settings.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { wrongKeyError, keyFileOf, nextKeyFileOf } from "./instance-key.ts";
import { makeKeyFile, readKeyFile, replaceKeyFile } from "./key-file.ts";
import type { AdminReport } from "../admin/admin.ts";

interface KeyRotation {
  readonly keys: Pick<Config, "databaseUrl" | "instanceKey" | "instanceKeyNext">;
  /** Works on the database while nobody else does. */
  readonly alone: DatabaseAccess;
  /** Whether to continue without the key that the database was encrypted with. */
  readonly isLost: boolean;
}

const ENDED = "logins that are under way, and counters of limits, which begin anew";

/**
 * Replaces an instance's key. In a transaction that nobody else can be in the new key is written to a file of its own,
 * and the database is encrypted with it; then the file gets the name of the old one. If it is killed at any point, the
 * next call continues there; if it is refused, nothing is left.
 * @throws AdminError, KeyRefused, BackupRefused
 */
export function rotateKey(keyRotation: KeyRotation): Promise<AdminReport> {
  return keyRotation.keys.instanceKey ? rotateVariable(keyRotation) : rotateFile(keyRotation);
}

async function rotateVariable({ keys, alone, isLost }: KeyRotation): Promise<AdminReport> {
  const { instanceKey: from, instanceKeyNext } = keys;
  const to = instanceKeyNext ?? (isLost ? from : undefined);
  if (!to)
    throw new AdminError(
      "The key is in INSTANCE_KEY: set the new one in INSTANCE_KEY_NEXT (openssl rand -base64 32 makes one).",
    );
  const counts = await alone((trx) => seal(trx, { keys, isLost, from, to }));
  const next = "before the next start set INSTANCE_KEY, on every instance, to what is in INSTANCE_KEY_NEXT";
  return report(counts, instanceKeyNext ? [["to do", next]] : []);
}

async function rotateFile({ keys, alone, isLost }: KeyRotation): Promise<AdminReport> {
  const file = keyFileOf(keys.databaseUrl);
  if (file === undefined) throw new AdminError("A database in memory has no key that could be changed.");
  const from = readKeyFile(file);
  if (!from && !isLost)
    throw new AdminError(
      `There is no key file ${file}: start the server once, put the file back, or go on without it: --lost.`,
    );
  const next = nextKeyFileOf(file);
  const { to, counts } = await alone(async (trx) => {
    const { key, isMade } = readNext(next, { given: keys.instanceKeyNext, own: isLost ? from : undefined });
    try {
      return { to: key, counts: await seal(trx, { keys, isLost, from, to: key }) };
    } catch (error) {
      // Nothing is committed yet, and no other call can have read it.
      if (isMade) rmSync(next);
      throw error;
    }
  });
  if (to === from) return report(counts, [["key", file]]);
  const time = new Date().toISOString().replace(/[-:.]/g, "");
  const aside = replaceKeyFile(file, { by: next, aside: `${file}.before-${time}` });
  return report(counts, [["key", file], ...(aside === undefined ? [] : [["old key", aside] as const])]);
}

/** The new key: that of a call that was killed, or else the given one, the current one, or a random one. */
function readNext(
  file: string,
  { given, own }: { given: Bytes | undefined; own: Bytes | undefined },
): { key: Bytes; isMade: boolean } {
  const begun = readKeyFile(file);
  if (begun && given && !isKeyOf(begun, deriveInstanceKeys(given).check))
    throw new AdminError(
      `A change of the key was begun and not finished (${file}): run the command without INSTANCE_KEY_NEXT first.`,
    );
  const key = begun ?? (given ? undefined : own);
  return key ? { key, isMade: false } : { key: makeKeyFile(file, given ?? makeInstanceKey()), isMade: true };
}

async function seal(
  trx: Parameters<typeof replaceInstanceKey>[0],
  { keys, ...change }: Pick<KeyRotation, "keys" | "isLost"> & { from: Bytes | undefined; to: Bytes },
): Promise<{ renewed: number; left: number }> {
  const counts = await replaceInstanceKey(trx, change);
  if (counts) return counts;
  throw wrongKeyError(keys);
}

function report(
  { renewed, left }: { renewed: number; left: number },
  places: AdminReport["rows"],
): AdminReport {
  const lost = left === 0 ? [] : [["authenticator apps lost", left] as const];
  return { rows: [...places, ["authenticator apps", renewed], ...lost, ["ended", ENDED]] };
}
