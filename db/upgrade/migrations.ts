import type { Kysely } from "kysely";
import * as baseline from "../migrations/0001-baseline.ts";
import * as ownerIndex from "../migrations/0002-owner-index.ts";
import * as deliveries from "../migrations/0003-deliveries.ts";
import * as labels from "../migrations/0004-labels.ts";

type Step = (db: Kysely<unknown>, kind: "sqlite" | "postgres") => Promise<void>;

/** By the name of their file. Only ever added to: what was released is never changed, renamed or moved. */
export const MIGRATIONS: Readonly<Record<string, Step>> = {
  "0001-baseline": baseline.up,
  "0002-owner-index": ownerIndex.up,
  "0003-deliveries": deliveries.up,
  "0004-labels": labels.up,
};
