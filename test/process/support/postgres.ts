import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

let templates: string | undefined;

/** Where a data folder is made once: copying one takes a tenth of the time. */
function templateFolder(): string {
  if (templates !== undefined) return templates;
  const folder = mkdtempSync(join(tmpdir(), "hushkit-postgres-template-"));
  if (process.getuid?.() === 0) chownSync(folder, ...ownerOf("postgres"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return (templates = folder);
}

/** Makes a server in a folder of its own. PostgreSQL does not run as root, so then it is that of the user postgres. */
export async function makeOwnPostgres({ connections = 40, options = "" } = {}): Promise<OwnPostgres> {
  const bin = dirname(placeOf("initdb"));
  const folder = mkdtempSync(join(tmpdir(), "hushkit-postgres-"));
  const data = join(folder, "data");
  const port = await freePort();
  const place = { PGDATA: data, PGUSER: "postgres", PGHOST: "127.0.0.1", PGPORT: String(port) };
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, ...ownerOf("postgres"));
  const run = (program: string, ...args: string[]) => {
    const command = isRoot ? ["runuser", "-u", "postgres", "--", program] : [program];
    const [first = "", ...rest] = [...command, ...args];
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...place };
    // What a server that goes on writes to must not be this program's own pipe, for which the call would wait.
    const { status } = spawnSync(first, rest, { cwd: folder, stdio: "ignore", env });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${lastLines(join(folder, "log"))}`);
  };
  const settings = `-p ${port} -h 127.0.0.1 -k ${folder} -c max_connections=${connections} -c fsync=off ${options}`;
  const template = join(templateFolder(), "data");
  if (!existsSync(template)) run("initdb", "-D", template, "-U", "postgres", "-A", "trust", "--no-sync");
  run("cp", "-r", template, data);
  const start = () => run("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), "-o", settings, "start");
  const stop = () => run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop");
  start();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const signal = (name: NodeJS.Signals) => {
    const parent = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    for (const pid of [parent, ...childrenOf(parent)]) process.kill(pid, name);
  };
  return {
    url,
    program: run,
    connect,
    run: async (...statements) => {
      const client = await connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    },
    ask: async (statement) => {
      const client = await connect();
      const { rows } = await client.query<string[]>({ text: statement, rowMode: "array" });
      await client.end();
      return rows.flatMap(([first]) => first ?? []);
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    start,
    stop,
    drop: () => {
      // What a failed test has left frozen does not stop.
      signal("SIGCONT");
      stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the server has said last. */
function lastLines(log: string): string {
  return existsSync(log) ? readFileSync(log, "utf8").slice(-2000) : "no log";
}

function childrenOf(parent: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => parentOf(pid) === parent);
}

function ownerOf(user: string): [number, number] {
  const ask = (flag: string) => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout);
  return [ask("-u"), ask("-g")];
}
