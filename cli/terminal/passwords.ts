import { CliError, EXIT, usageError } from "../exit.ts";
import { type Io, showControls } from "./io.ts";
import { passInput } from "../files/input.ts";

interface PasswordRequest {
  /** The question, such as "Password of report.pdf". */
  readonly question: string;
  /** The file descriptor of --password-fd, or of the option in `option`. */
  readonly passwordFd?: number | undefined;
  /** For a command that takes several passwords: HUSHKIT_PASSWORD is another one. */
  readonly option?: `--${string}-fd`;
  /** Asked twice at a prompt, because a typing error would lock its owner out. */
  readonly isNew?: boolean;
}

/**
 * Reads a password from --password-fd, from HUSHKIT_PASSWORD or at a prompt.
 * @throws CliError password where there is none of these
 */
export async function readPassword(io: Io, request: PasswordRequest): Promise<string> {
  const given = await givenPassword(io, request);
  if (given !== undefined) return given;
  if (!io.ask) {
    const ways = request.option ? `${request.option} N` : "--password-fd N or HUSHKIT_PASSWORD";
    throw new CliError(
      EXIT.password,
      `${request.question} is needed: without a terminal, give it with ${ways}.`,
    );
  }
  const password = await io.ask(`${showControls(request.question)}: `, { isHidden: true });
  if (password === "")
    throw new CliError(EXIT.password, `${request.question} is needed; nothing was entered.`);
  if (request.isNew && (await io.ask("Once more: ", { isHidden: true })) !== password) {
    throw new CliError(EXIT.password, "The two entries differ; nothing was done.");
  }
  return password;
}

async function givenPassword(io: Io, { passwordFd, option }: PasswordRequest): Promise<string | undefined> {
  if (passwordFd === undefined) return option ? undefined : io.env.HUSHKIT_PASSWORD || undefined;
  const given = `${option ?? "--password-fd"} ${passwordFd}`;
  const text = await io.readFd(passwordFd).catch((error: unknown) => {
    if (error instanceof CliError) throw error;
    throw usageError(`${given}: nothing can be read from this descriptor.`);
  });
  // `echo` adds a line end and `printf` does not; the password never includes it.
  const password = text.replace(/\r?\n$/, "");
  if (password === "") throw new CliError(EXIT.password, `${given}: there is no password in it.`);
  return password;
}

/** Tries without a password first, because many protected files open without one. */
export async function tryWithPassword<Result>(
  io: Io,
  request: PasswordRequest,
  work: (password?: string) => Promise<Result>,
): Promise<Result> {
  if (request.passwordFd !== undefined) return work(await readPassword(io, request));
  try {
    return await work();
  } catch (error) {
    if (!needsPassword(error)) throw error;
  }
  return work(await readPassword(io, request));
}

/** True for the tool's own error and for the server's, which has its code in `data`. */
export function needsPassword(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const answer: unknown = "data" in error ? error.data : error;
  return (
    typeof answer === "object" && answer !== null && "code" in answer && answer.code === "password_required"
  );
}

/** The password that a key file stands for, combined with a typed one where `password` asks for it. */
export async function readFilePassword(
  io: Io,
  of: { keyFile: string; password?: true | undefined; passwordFd?: number | undefined; isNew?: boolean },
): Promise<string> {
  const { keyFile, password, passwordFd, isNew = false } = of;
  const { keyFilePassword } = await import("../../tools/file-hash.ts");
  const isAsked = password || passwordFd !== undefined;
  const typed = isAsked ? await readPassword(io, { question: "Password", passwordFd, isNew }) : "";
  return keyFilePassword(passInput(io, keyFile), { password: typed });
}
