import about from "../package.json" with { type: "json" };
import { ToolFailure } from "../wire/tool-failure.ts";
import { notHushkitOf, type NotHushkit } from "../client/answers/not-hushkit.ts";
import { failureOf } from "../client/client.ts";
import { RestFailure } from "../client/rest.ts";
import { CliError, codeOf, EXIT, type ExitCode } from "./exit.ts";

/** How a failed command ends. */
export interface CommandFailure {
  readonly exitCode: ExitCode;
  readonly message: string;
  /** The parameter of the API that was wrong. */
  readonly parameter?: string;
  /** Whether a server chose the words. */
  readonly isFromServer?: true;
}

/** By error code, where the status alone does not say enough. */
const BY_CODE: Readonly<Record<string, ExitCode>> = {
  password_required: EXIT.password,
  password_wrong: EXIT.password,
  second_factor_wrong: EXIT.password,
  identity_required: EXIT.password,
  identity_wrong: EXIT.password,
  passphrase_required: EXIT.password,
  wrong_passphrase: EXIT.password,
  session_required: EXIT.password,
  too_complex: EXIT.limit,
  request_timeout: EXIT.network,
  request_open: EXIT.gone,
};

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.password,
  404: EXIT.gone,
  410: EXIT.gone,
  413: EXIT.limit,
  429: EXIT.limit,
};

/** Errors of the system that a failed write can have. */
const FULL: Readonly<Record<string, string>> = {
  ENOSPC: "There is no room left on the disk.",
  EDQUOT: "Your part of the disk is full.",
  EIO: "The disk has failed.",
  EFBIG: "The file is larger than the disk takes.",
  EBADF: "The output cannot be written to.",
  EPIPE: "The output was closed before all of it was written.",
};

const LOG_IN = "This server wants to know you for that: log in with `hushkit login`, or set HUSHKIT_TOKEN.";

/** Turns any error into a sentence and an exit code; of an unexpected error only its name is shown. */
export function describeFailure(error: unknown): CommandFailure {
  if (error instanceof CliError) return error;
  if (error instanceof ToolFailure) {
    const { code, message, fields } = error;
    return { message, exitCode: exitOf(code), ...named(fields.parameter) };
  }
  const failure = error instanceof RestFailure ? error.body : failureOf(error);
  if (failure?.code === "login_required")
    return { message: LOG_IN, exitCode: exitOf(failure.code, failure.status) };
  if (failure)
    return {
      message: failure.error,
      isFromServer: true,
      exitCode: exitOf(failure.code, failure.status),
      ...("parameter" in failure ? named(failure.parameter) : {}),
    };
  return describeUnexpected(error);
}

function exitOf(code: string, status = 422): ExitCode {
  if (/_too_large$|^too_many_/.test(code)) return EXIT.limit;
  return BY_CODE[code] ?? BY_STATUS[status] ?? (status >= 500 ? EXIT.network : EXIT.usage);
}

function named(parameter: unknown) {
  return typeof parameter === "string" ? { parameter } : {};
}

function describeUnexpected(error: unknown): CommandFailure {
  if (!(error instanceof Error)) return { exitCode: EXIT.network, message: "Something went wrong." };
  // The client wraps what fetch throws.
  if (error.cause instanceof CliError) return error.cause;
  const wrong = notHushkitOf(error);
  if (wrong) return describeWrongAnswer(wrong);
  if (error.name === "TRPCClientError")
    return { exitCode: EXIT.network, message: "The server's answer was cut or cannot be read; try again." };
  const code = codeOf(error);
  if (FULL[code]) return { exitCode: EXIT.usage, message: FULL[code] };
  const name = `${error.name}${code === "" ? "" : ` (${code})`}`;
  return { exitCode: EXIT.network, message: `Something went wrong that nobody foresaw: ${name}.` };
}

const TRUST_IT =
  " Where you trust it, name a file with its certificate by --cacert FILE or NODE_EXTRA_CA_CERTS.";

/** The message quotes others: the name of a proxy, an address. */
function describeWrongAnswer({ kind, message, facts }: NotHushkit): CommandFailure {
  const exitCode = kind === "too_large" || kind === "busy" ? EXIT.limit : EXIT.network;
  const own = kind === "version" ? ` This program is Hushkit ${about.version}.` : "";
  const said = { exitCode, message: message + (kind === "certificate" ? TRUST_IT : own) };
  return facts ? { ...said, isFromServer: true } : said;
}
