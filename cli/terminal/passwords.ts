import { CliError, EXIT } from "../exit.ts";
import { type Io, showControls } from "./io.ts";
import { streamInput } from "../files/input.ts";

interface PasswordRequest {
  /** What is asked, such as "Password of report.pdf". */
  readonly question: string;
  /** Where the option --password-fd points, or the one named by `option`. */
  readonly passwordFd?: number | undefined;
  /** Of a command that takes more than one password: HUSHKIT_PASSWORD is not this one. */
  readonly option?: `--${string}-fd`;
  /** Asked twice at a prompt, because a slip of the finger would lock its owner out. */
  readonly isNew?: boolean;
}

/**
 * Takes a password from --password-fd, from HUSHKIT_PASSWORD or from a prompt.
 * @throws CliError password where none of them is there
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
    throw new CliError(EXIT.password, "The two are not the same; nothing was done.");
  }
  return password;
}

async function givenPassword(io: Io, { passwordFd, option }: PasswordRequest): Promise<string | undefined> {
  if (passwordFd === undefined) return option ? undefined : io.env.HUSHKIT_PASSWORD || undefined;
  const given = `${option ?? "--password-fd"} ${passwordFd}`;
  const text = await io.readFd(passwordFd).catch((error: unknown) => {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.usage, `${given}: nothing can be read from this descriptor.`);
  });
  // `echo` and `printf` differ in the line end, which is not meant.
  const password = text.replace(/\r?\n$/, "");
  if (password === "") throw new CliError(EXIT.password, `${given}: it holds no password.`);
  return password;
}

/** Tries without a password first, because many files that have one open without it. */
export async function tryWithPassword<Result>(
  io: Io,
  { request, work }: { request: PasswordRequest; work: (password?: string) => Promise<Result> },
): Promise<Result> {
  if (request.passwordFd !== undefined) return work(await readPassword(io, request));
  try {
    return await work();
  } catch (error) {
    if (!needsPassword(error)) throw error;
  }
  return work(await readPassword(io, request));
}

/** True for the tool's word and for the server's, which keeps its code in `data`. */
export function needsPassword(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const answer: unknown = "data" in error ? error.data : error;
  return (
    typeof answer === "object" && answer !== null && "code" in answer && answer.code === "password_required"
  );
}

interface FilePassword {
  readonly keyFile: string;
  /** Whether there is a password beside it. */
  readonly password?: true | undefined;
  readonly passwordFd?: number | undefined;
  readonly isNew?: boolean;
}

/** The password that a key file stands for, together with one that is typed where the command asks for it. */
export async function readFilePassword(
  io: Io,
  { keyFile, password, passwordFd, isNew = false }: FilePassword,
): Promise<string> {
  const { keyFilePassword } = await import("../../tools/file-hash.ts");
  const isAsked = password || passwordFd !== undefined;
  const typed = isAsked ? await readPassword(io, { question: "Password", passwordFd, isNew }) : "";
  return keyFilePassword(streamInput(io, keyFile), { password: typed });
}
