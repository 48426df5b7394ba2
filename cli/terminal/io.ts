import type { Bytes } from "../../wire/bytes.ts";

/** Standard output or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  readonly write: (data: string | Uint8Array) => Promise<void>;
}

export interface TerminalQuestion {
  /** Not shown while it is typed, and kept in no history. */
  readonly isHidden: boolean;
}

/** All that a command knows of the world; a test passes its own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: { readonly isTerminal: boolean; readonly read: () => AsyncIterable<Bytes> };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly fetch: typeof fetch;
  /** Certificates of authorities, in PEM, that servers may have beside those that the runtime trusts. */
  readonly trust: (certificates: string) => Promise<void>;
  /** All of an open file descriptor. */
  readonly readFd: (fd: number) => Promise<string>;
  /** Asks at the terminal, which need not be standard input; undefined where there is none. */
  readonly ask: ((question: string, options: TerminalQuestion) => Promise<string>) | undefined;
  /** What a command that did its work has to tell the shell, such as that two texts differ. */
  exitCode: number;
}

/** Says how things stand. Only people want to know: a program would read it as part of the answer. */
export async function note({ stderr }: Io, text: string): Promise<void> {
  if (stderr.isTerminal) await stderr.write(`${text}\n`);
}

/** Says what did not survive, wherever standard error goes. */
export async function warn({ stderr }: Io, warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) await stderr.write(`hushkit: warning: ${warning}\n`);
}

export async function printJson({ stdout }: Io, value: unknown): Promise<void> {
  await stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
