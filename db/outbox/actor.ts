import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** Who acts in a call, for the records of it. Nothing of this is stored where nobody wants acts recorded. */
export interface Actor {
  /** The member's id; undefined for nobody, and for administration on the machine. */
  account?: string;
  /** The first characters of the API token that was sent. */
  token?: string;
  /** The id of the session that the call has. */
  session?: string;
  /** With its last part set to zero. */
  address?: string;
  /** 1 where an administrator acts on the accounts of others. */
  admin?: 1;
  /** The member whose login was tried, known before it fails. */
  tried?: string;
}

/** The SQL function that triggers of SQLite call; every connection has it. */
const ACTING = "hushkit_acting";

/** SQL for a trigger: a field of the actor of its transaction, or null. `known` is not null where there is an actor. */
export function acting(
  kind: "sqlite" | "postgres",
  field: "account" | "token" | "session" | "address" | "admin" | "known",
): string {
  if (kind === "sqlite") return `${ACTING}('${field}')`;
  // Without a transaction that has set it, the setting is null or, after one that had, empty.
  return `(nullif(current_setting('hushkit.acting', true), '')::json ->> '${field}')`;
}

/** The actor of the running part of a transaction on a SQLite connection, for which its triggers ask. */
export class CurrentActor {
  #actor: Actor | undefined;

  /** Gives the triggers of a file, which may be reopened, access to the actor. */
  addFunctionTo(file: { function(name: string, read: (field: unknown) => unknown): unknown }): void {
    file.function(ACTING, (field) => fieldOf(this.#actor, field));
  }

  /** Runs a part of a transaction for an actor. */
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

/** Sets the actor of a PostgreSQL transaction. */
export async function setActor(trx: Kysely<Tables>, actor: Actor): Promise<void> {
  const text = JSON.stringify({ ...actor, known: 1 });
  await sql`select set_config('hushkit.acting', ${text}, true)`.execute(trx);
}
