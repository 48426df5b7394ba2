import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { parentOf } from "../../machine/leftovers.ts";
import { placeOf } from "../../machine/skips.ts";
import { freePort } from "../../support/free-port.ts";

/** A PostgreSQL server of a test's own, which it may freeze and stop. */
export interface OwnPostgres {
  readonly url: string;
  /** Runs a program of PostgreSQL, or any other, as the user whose server it is. */
  readonly program: (name: string, ...args: string[]) => void;
  /** Runs statements one after the other, on a connection of their own. */
  readonly run: (...statements: string[]) => Promise<void>;
  /** The first column of each row, of a statement that answers text. */
  readonly ask: (statement: string) => Promise<string[]>;
  /** A connection that stays, for a lock or to use a connection up. */
  readonly connect: () => Promise<pg.Client>;
  /** Stops all its processes where they are, as a machine that hangs; or lets them go on. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly stop: () => void;
  readonly start: () => void;
  readonly drop: () => void;
}

/** So long a start or a stop may take on a busy machine. */
const WAIT_SECONDS = "150";

/**
 * Where a data folder is made once for a whole run: copying one takes a tenth of the time. Two who make it at the same
 * time make two, of which one is kept.
 */
function templateFolder(makeData: (folder: string) => void): string {
  const kept = process.env["TEST_KEPT"] ?? tmpdir();
  const template = join(kept, "postgres-template");
  if (existsSync(template)) return template;
  const folder = mkdtempSync(join(kept, "postgres-new-"));
  if (isRoot()) chownSync(folder, ...ownerOf("postgres"));
  makeData(folder);
  try {
    renameSync(folder, template);
  } catch {
    rmSync(folder, { recursive: true });
  }
  return template;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

const MOST_TRIES = 3;

/** Makes a server in a folder of its own. PostgreSQL does not run as root, so then it is that of the user postgres. */
export async function makeOwnPostgres({ connections = 40, options = "" } = {}): Promise<OwnPostgres> {
  for (let tries = 1; ; tries++) {
    try {
      return startAt(await freePort(), { connections, options });
    } catch (error) {
      // Somebody else has just taken the port.
      if (tries === MOST_TRIES || !String(error).includes("Address already in use")) throw error;
    }
  }
}

function startAt(
  port: number,
  { connections, options }: { connections: number; options: string },
): OwnPostgres {
  const bin = dirname(placeOf("initdb"));
  const folder = mkdtempSync(join(tmpdir(), "hushkit-postgres-"));
  const data = join(folder, "data");
  const place = { PGDATA: data, PGUSER: "postgres", PGHOST: "127.0.0.1", PGPORT: String(port) };
  if (isRoot()) chownSync(folder, ...ownerOf("postgres"));
  const run = (program: string, ...args: string[]) => {
    const command = isRoot() ? ["runuser", "-u", "postgres", "--", program] : [program];
    const [first = "", ...rest] = [...command, ...args];
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, PGCTLTIMEOUT: WAIT_SECONDS, ...place };
    // What a server that goes on writes to must not be this program's own pipe, for which the call would wait.
    const { status } = spawnSync(first, rest, { cwd: folder, stdio: "ignore", env });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${lastLines(join(folder, "log"))}`);
  };
  const own = `-p ${port} -h 127.0.0.1 -k ${folder} -c lc_messages=C`;
  const settings = `${own} -c max_connections=${connections} -c fsync=off ${options}`;
  const start = () => run("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), "-o", settings, "start");
  const stop = () => run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const initdb = (at: string) =>
    run("initdb", "-D", join(at, "data"), "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C");
  try {
    run("cp", "-r", join(templateFolder(initdb), "data"), data);
    start();
  } catch (error) {
    remove();
    throw error;
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const parentFile = join(data, "postmaster.pid");
  const signal = (name: NodeJS.Signals) => {
    const parent = Number(readFileSync(parentFile, "utf8").split("\n")[0]);
    for (const pid of [parent, ...childrenOf(parent)]) sendSignal(pid, name);
  };
  return {
    url,
    program: run,
    connect,
    run: async (...statements) => {
      const client = await connect();
      try {
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.end();
      }
    },
    ask: async (statement) => {
      const client = await connect();
      const asked = client.query<string[]>({ text: statement, rowMode: "array" });
      const { rows } = await asked.finally(() => client.end());
      return rows.flatMap(([first]) => first ?? []);
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    start,
    stop,
    drop: () => {
      if (existsSync(parentFile)) {
        // What a failed test has left frozen does not stop.
        signal("SIGCONT");
        stop();
      }
      remove();
    },
  };
}

/** What the server has said last. */
function lastLines(log: string): string {
  return existsSync(log) ? readFileSync(log, "utf8").slice(-2000) : "no log";
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // A process of one connection may have ended meanwhile.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function childrenOf(parent: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => parentOf(pid) === parent);
}

function ownerOf(user: string): [number, number] {
  const ask = (flag: string) => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout);
  return [ask("-u"), ask("-g")];
}
