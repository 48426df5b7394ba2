/** What the program tells the shell (docs/cli.md). */
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

/** The one error that commands throw on purpose: a sentence for the user, and how the program ends. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}
