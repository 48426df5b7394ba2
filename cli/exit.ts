/** The exit codes (docs/cli.md). */
export const EXIT = {
  done: 0,
  /** Texts differ, or a checksum does not match. */
  differs: 1,
  usage: 2,
  /** Gone, revoked or unknown. */
  gone: 3,
  /** A password is needed, or is wrong. */
  password: 4,
  limit: 5,
  /** The network, or the server. */
  network: 6,
  /** 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What each code means, for the man page and for programs that run commands. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: "Done.",
  1: "Texts differ, or a checksum does not match.",
  2: "The command line is wrong, or a file is not what the command takes.",
  3: "The secret is gone, revoked or unknown.",
  4: "A password or login is needed, or is wrong.",
  5: "A limit of size, number or rate.",
  6: "The network or the server.",
  130: "Interrupted at a prompt.",
};

/** The only error that commands throw on purpose: a sentence for the user, and the exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}

/** The error of a command line that is wrong, or of a file that is not what the command takes. */
export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, message);
}

/** Whether the reader of the output has closed it, as `head` does. */
export function isClosedPipe(error: unknown): boolean {
  return codeOf(error) === "EPIPE";
}

/** The code of a system's error, such as ENOENT; "" for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
