import type { Kysely } from "kysely";
import * as baseline from "../migrations/0001-baseline.ts";
import * as ownerIndex from "../migrations/0002-owner-index.ts";
import * as deliveries from "../migrations/0003-deliveries.ts";
import * as labels from "../migrations/0004-labels.ts";
import * as largeFiles from "../migrations/0005-large-files.ts";
import * as logins from "../migrations/0006-logins.ts";
import * as outbox from "../migrations/0007-outbox.ts";
import * as administrators from "../migrations/0008-administrators.ts";
import * as idempotencyKeys from "../migrations/0009-idempotency-keys.ts";
import * as waysIn from "../migrations/0010-ways-in.ts";
import * as instanceKey from "../migrations/0011-instance-key.ts";
import * as acts from "../migrations/0012-acts.ts";
import * as formerValues from "../migrations/0013-former-values.ts";
import * as severalAnswers from "../migrations/0014-several-answers.ts";
import * as hooks from "../migrations/0015-hooks.ts";
import * as fileOwner from "../migrations/0016-file-owner.ts";

type Step = (db: Kysely<unknown>, kind: "sqlite" | "postgres") => Promise<void>;

/** By the name of their file. Migrations are only ever added: a released one is never changed, renamed or moved. */
export const MIGRATIONS: Readonly<Record<string, Step>> = {
  "0001-baseline": baseline.up,
  "0002-owner-index": ownerIndex.up,
  "0003-deliveries": deliveries.up,
  "0004-labels": labels.up,
  "0005-large-files": largeFiles.up,
  "0006-logins": logins.up,
  "0007-outbox": outbox.up,
  "0008-administrators": administrators.up,
  "0009-idempotency-keys": idempotencyKeys.up,
  "0010-ways-in": waysIn.up,
  "0011-instance-key": instanceKey.up,
  "0012-acts": acts.up,
  "0013-former-values": formerValues.up,
  "0014-several-answers": severalAnswers.up,
  "0015-hooks": hooks.up,
  "0016-file-owner": fileOwner.up,
};
