import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import pg from "pg";
import { freePort } from "../support/free-port.ts";
import { findProgram } from "../support/runtimes.ts";

/** What goes wrong for a while. */
export interface Fault {
  readonly name: string;
  readonly seconds: number;
  readonly strike: () => void | Promise<void>;
  readonly heal: () => void | Promise<void>;
}

export interface SoakDatabase {
  readonly name: "sqlite" | "postgres";
  readonly url: string;
  readonly faults: readonly Fault[];
  readonly end: () => void | Promise<void>;
}

const DISK_MIB = 512;
const CHUNK = Buffer.alloc(2 ** 20, 7);

/** A folder for one soak. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "hushkit-soak-"));
}

/** A file on a disk of its own, where this user may mount one, so that it can be full. */
export function soakSqlite(): SoakDatabase {
  const folder = makeFolder();
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const isMounted = mount(disk);
  if (!isMounted) console.log("skipped the full disk: this user may not mount one");
  const url = join(disk, "service.db");
  return {
    name: "sqlite",
    url,
    faults: [lockedFile(url), ...(isMounted ? [fullDisk(join(disk, "filler"))] : [])],
    end: () => {
      if (isMounted) execFileSync("umount", [disk]);
      rmSync(folder, { recursive: true });
    },
  };
}

function mount(disk: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function lockedFile(url: string): Fault {
  let holder: SqliteFile.Database | undefined;
  return {
    name: "a program holds the file",
    seconds: 15,
    strike: () => {
      holder = new SqliteFile(url, { timeout: 10_000 });
      holder.exec("begin immediate");
    },
    heal: () => void holder?.close(),
  };
}

function fullDisk(filler: string): Fault {
  return {
    name: "the disk is full",
    seconds: 8,
    strike: () => {
      for (let mebibytes = 0; mebibytes < DISK_MIB; mebibytes++) {
        try {
          appendFileSync(filler, CHUNK);
        } catch {
          return;
        }
      }
    },
    heal: () => rmSync(filler, { force: true }),
  };
}

/** A cluster of its own, as the user who may run one; undefined where PostgreSQL's programs are missing. */
export async function soakPostgres(): Promise<SoakDatabase | undefined> {
  const programs = findServerPrograms();
  if (!programs) return undefined;
  const folder = makeFolder();
  const port = await freePort();
  const data = join(folder, "data");
  const run = (program: string, ...args: string[]) => {
    const command = [join(programs, program), ...args];
    const asUser = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--", ...command] : command;
    execFileSync(asUser[0] ?? "", asUser.slice(1), { stdio: "ignore", cwd: "/" });
  };
  if (process.getuid?.() === 0) execFileSync("chown", ["postgres", folder]);
  run("initdb", "-D", data, "-A", "trust", "-U", "postgres");
  const start = ["-D", data, "-w", "-l", join(folder, "log"), "-o", `-p ${port} -k ${folder} -h 127.0.0.1`];
  run("pg_ctl", "start", ...start);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    name: "postgres",
    url,
    faults: [
      lockedTable(url),
      brokenConnections(url),
      frozen(data),
      {
        name: "PostgreSQL restarts",
        seconds: 0,
        strike: () => run("pg_ctl", "restart", "-m", "fast", ...start),
        heal: () => {},
      },
      {
        name: "PostgreSQL is down",
        seconds: 10,
        strike: () => run("pg_ctl", "stop", "-m", "immediate", "-D", data),
        heal: () => run("pg_ctl", "start", ...start),
      },
    ],
    end: () => {
      run("pg_ctl", "stop", "-m", "immediate", "-D", data);
      rmSync(folder, { recursive: true });
    },
  };
}

function findServerPrograms(): string | undefined {
  const onPath = findProgram("initdb");
  if (onPath) return join(onPath, "..");
  const root = "/usr/lib/postgresql";
  const newest = listFolder(root).toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : join(root, newest, "bin");
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function lockedTable(url: string): Fault {
  let holder: pg.Client | undefined;
  return {
    name: "a session locks the table of secrets",
    seconds: 15,
    strike: async () => {
      holder = new pg.Client({ connectionString: url });
      await holder.connect();
      await holder.query("begin; lock table secret in access exclusive mode");
    },
    heal: async () => void (await holder?.end()),
  };
}

function brokenConnections(url: string): Fault {
  return {
    name: "all connections break",
    seconds: 0,
    strike: async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()",
      );
      await client.end();
    },
    heal: () => {},
  };
}

/** Every process of the cluster stands still: connections stay open, and nobody answers. */
function frozen(data: string): Fault {
  const tell = (signal: NodeJS.Signals) => {
    const [main = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    const children = execFileSync("ps", ["-o", "pid=", "--ppid", main], { encoding: "utf8" });
    for (const pid of [main, ...children.split("\n")].map(Number).filter((each) => each > 0))
      process.kill(pid, signal);
  };
  return {
    name: "PostgreSQL is frozen",
    seconds: 15,
    strike: () => tell("SIGSTOP"),
    heal: () => tell("SIGCONT"),
  };
}
