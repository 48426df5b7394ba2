import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../../cli/run.ts";
import type { Io } from "../../../cli/terminal/io.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN, type Harness } from "../../support/harness.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly bytes: Buffer;
}

export interface Typed {
  readonly stdin?: string | Uint8Array;
  /** What is entered at the prompts, in order; without it there is no terminal. */
  readonly answers?: readonly string[];
  /** What file descriptor 3 holds. */
  readonly fd3?: string;
  readonly env?: Record<string, string>;
  /** Whether standard output and error are a terminal. */
  readonly isTerminal?: boolean;
}

/** A folder to work in, and the command line run inside this process, without a shell or a socket. */
export interface Shell {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly put: (name: string, content: string | Uint8Array) => string;
  readonly read: (name: string) => Buffer;
  readonly run: (args: readonly string[], typed?: Typed) => Promise<Run>;
}

/** A new user in a folder of their own; with a service, HUSHKIT_URL leads to it. */
export function openShell(service?: Harness): Shell {
  const folder = makeTempFolder();
  const path = (name: string) => join(folder, name);
  const put = (name: string, content: string | Uint8Array) => {
    writeFileSync(path(name), content);
    return name;
  };
  const world = { folder, ip: freshIp(), service };
  return {
    folder,
    path,
    put,
    read: (name) => readFileSync(path(name)),
    run: (args, typed = {}) => runOnce(args, { ...world, typed }),
  };
}

interface World {
  readonly folder: string;
  readonly ip: string;
  readonly service: Harness | undefined;
  readonly typed: Typed;
}

async function runOnce(args: readonly string[], { folder, ip, service, typed }: World): Promise<Run> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const isTerminal = typed.isTerminal ?? false;
  const outputTo = (parts: Buffer[]) => ({
    isTerminal,
    write: async (data: string | Uint8Array) => void parts.push(Buffer.from(data)),
  });
  const answers = [...(typed.answers ?? [])];
  const io: Io = {
    env: { XDG_CONFIG_HOME: folder, ...(service && { HUSHKIT_URL: ORIGIN }), ...typed.env },
    cwd: folder,
    stdin: { isTerminal: false, read: () => once(typed.stdin ?? "") },
    stdout: outputTo(out),
    stderr: outputTo(err),
    fetch: (input, init) => {
      const url = new URL(String(input));
      if (!service || url.origin !== ORIGIN) throw new TypeError("fetch failed");
      return service.request(url.href.slice(ORIGIN.length), { ...init, ip });
    },
    trust: async () => {},
    readFd: async (fd) => {
      if (fd !== 3 || typed.fd3 === undefined) throw new Error("EBADF");
      return typed.fd3;
    },
    ask: typed.answers && (async () => answers.shift() ?? ""),
    exitCode: 0,
  };
  const code = await run(args, io);
  const bytes = Buffer.concat(out);
  return { code, bytes, out: bytes.toString(), err: Buffer.concat(err).toString() };
}

async function* once(content: string | Uint8Array): AsyncGenerator<Bytes> {
  yield new Uint8Array(Buffer.from(content));
}
