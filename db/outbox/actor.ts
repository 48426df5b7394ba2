import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** Who acts in a call, for what is written down of it. Nothing of it is stored where nobody hears of acts. */
export interface Actor {
  /** The member's id; undefined for nobody, and for whoever is at the machine. */
  account?: string;
  /** The first characters of the API token that was sent. */
  token?: string;
  /** The id of the session that the call has. */
  session?: string;
  /** With its last part zero. */
  address?: string;
  /** 1 where an administrator does something to the accounts of others. */
  admin?: 1;
  /** The member whose login was tried, known before it has failed. */
  tried?: string;
}

/** The function that triggers of SQLite ask, which each connection has. */
const ACTING = "hushkit_acting";

/** SQL, for a trigger: a field of who acts in its transaction, or null. `known` is not null where anybody does. */
export function acting(
  kind: "sqlite" | "postgres",
  field: "account" | "token" | "session" | "address" | "admin" | "known",
): string {
  if (kind === "sqlite") return `${ACTING}('${field}')`;
  // Without a transaction that has set it, the setting is null or, after one that had, empty.
  return `(nullif(current_setting('hushkit.acting', true), '')::json ->> '${field}')`;
}

/** Who acts in the part of a transaction that runs on a connection of SQLite, whose triggers ask for it. */
export class CurrentActor {
  #actor: Actor | undefined;

  /** Has the triggers of a file, which is opened anew now and then, find who acts. */
  answer(file: { function(name: string, answer: (field: unknown) => unknown): unknown }): void {
    file.function(ACTING, (field) => fieldOf(this.#actor, field));
  }

  /** Runs a part of a transaction. */
  async run<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
    this.#actor = actor;
    try {
      return await work();
    } finally {
      this.#actor = undefined;
    }
  }
}

function fieldOf(actor: Actor | undefined, field: unknown): string | number | null {
  if (!actor) return null;
  if (field === "known") return 1;
  return Object.hasOwn(actor, String(field)) ? (actor[field as keyof Actor] ?? null) : null;
}

/** Says in a transaction of PostgreSQL who acts in it. */
export async function tellActor(trx: Kysely<Tables>, actor: Actor): Promise<void> {
  const text = JSON.stringify({ ...actor, known: 1 });
  await sql`select set_config('hushkit.acting', ${text}, true)`.execute(trx);
}
