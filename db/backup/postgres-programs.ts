import type { Client } from "pg";

interface ProgramOptions {
  /** Additional variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The entries of a backup to work on. */
  readonly list?: string;
  /** Whether to trust the authorities that the runtime knows, which libpq does not know by itself. */
  readonly trustsRuntime?: boolean;
}

/** Runs a program of PostgreSQL; returns its output if it succeeds. */
export type RunProgram = (
  program: "pg_dump" | "pg_restore",
  args: readonly string[],
  options: ProgramOptions,
) => Promise<string | undefined>;

/** The target of a URL, as `pg` reads it. */
export async function readTarget(url: string) {
  const { Client } = (await import("pg")).default;
  return new Client({ connectionString: url }) as Pick<Client, "host" | "port"> &
    Record<"user" | "database" | "password", string | undefined>;
}

/** A URL as variables for PostgreSQL's programs: everybody on the machine can see arguments. */
export async function optionsOf(url: string): Promise<ProgramOptions & { env: Record<string, string> }> {
  const { host, port, user, database, password } = await readTarget(url);
  // Of a parameter that is repeated, `pg` takes the last one too.
  const given: Parameters = Object.fromEntries(new URL(url).searchParams);
  const sslmode = modeOf(given);
  const isVerified = sslmode !== undefined && sslmode !== "require";
  const rootcert = isVerified || isLibpq(given) ? given.sslrootcert : undefined;
  const variables = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    PGPASSWORD: password,
    PGOPTIONS: given.options,
    PGSSLMODE: sslmode,
    PGSSLNEGOTIATION: given.sslnegotiation,
    PGSSLROOTCERT: rootcert,
    PGSSLCERT: given.sslcert,
    PGSSLKEY: given.sslkey,
  };
  const set = Object.entries(variables).filter(([, value]) => value != null);
  const env = Object.fromEntries(set) as Record<string, string>;
  return { env, trustsRuntime: sslmode === "verify-full" && rootcert === undefined };
}

type Parameters = Readonly<Record<string, string>>;

/**
 * The mode in which libpq protects a connection as `pg` does: that verifies whatever it encrypts, and knows "no-verify",
 * unless it is told to be like libpq. Undefined where it does not encrypt.
 */
function modeOf(given: Parameters): string | undefined {
  const { sslmode = "", ssl = "", sslnegotiation } = given;
  if (sslmode === "disable") return sslmode;
  if (isLibpq(given) && ["prefer", "require", "verify-ca"].includes(sslmode)) return sslmode;
  if (!isLibpq(given) && sslmode === "no-verify") return "require";
  const hasFile = ["sslcert", "sslkey", "sslrootcert"].some((name) => given[name]);
  const isEncrypted = sslmode || hasFile || ["true", "1"].includes(ssl) || sslnegotiation === "direct";
  return isEncrypted ? "verify-full" : undefined;
}

function isLibpq({ uselibpqcompat }: Parameters): boolean {
  return uselibpqcompat === "true";
}
