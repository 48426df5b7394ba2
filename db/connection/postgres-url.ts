import { accessSync, constants } from "node:fs";
import { DatabaseRefused } from "./unavailable.ts";

const MODES: readonly string[] = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];
const FILES: readonly string[] = ["sslcert", "sslkey", "sslrootcert"];

/** The parameters that `pg` 8.23 reads in a URL, with the values of those that are easily mistaken. */
const KNOWN: Readonly<Record<string, readonly string[] | undefined>> = {
  sslmode: MODES,
  ssl: ["true", "1", "0"],
  sslnegotiation: ["postgres", "direct"],
  uselibpqcompat: ["true"],
  sslcert: undefined,
  sslkey: undefined,
  sslrootcert: undefined,
  host: undefined,
  port: undefined,
  user: undefined,
  password: undefined,
  options: undefined,
  application_name: undefined,
  fallback_application_name: undefined,
  client_encoding: undefined,
};

/** Parameters of libpq and of database hosts that have no effect here, and on which nobody's safety depends. */
const IDLE: ReadonlySet<string> = new Set([
  ...["connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count"],
  ...["tcp_user_timeout", "target_session_attrs", "load_balance_hosts", "channel_binding", "gssencmode"],
  ...["sslsni", "pgbouncer", "pool_timeout", "connection_limit", "supa"],
]);

/**
 * Checks the parameters of a PostgreSQL URL. `pg` passes over what it does not know, and so over a misspelt `sslmode`.
 * @throws DatabaseRefused for an unknown one, a wrong value, or a file that cannot be read
 */
export function checkPostgresUrl(url: string): void {
  const at = url.indexOf("?");
  for (const [name, value] of new URLSearchParams(at < 0 ? "" : url.slice(at))) {
    if (IDLE.has(name)) continue;
    if (!Object.hasOwn(KNOWN, name))
      throw refused(`its parameter "${name.slice(0, 40)}" is unknown; ${hint(name)}`);
    const legal = KNOWN[name];
    if (legal && !legal.includes(value))
      throw refused(`its parameter "${name}" must be one of ${legal.join(", ")}`);
    if (FILES.includes(name)) checkFile(name, value);
  }
}

function hint(name: string): string {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  const meant = [...Object.keys(KNOWN), ...IDLE].find((known) => plain(known) === plain(name));
  return meant ? `did you mean "${meant}"?` : `it takes ${Object.keys(KNOWN).join(", ")}`;
}

function checkFile(name: string, path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw refused(`the file of its parameter "${name}" cannot be read${code}`);
  }
}

function refused(reason: string): DatabaseRefused {
  return new DatabaseRefused("database_url", reason);
}
