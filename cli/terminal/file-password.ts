import { streamInput } from "../files/input.ts";
import type { Io } from "./io.ts";
import { readPassword } from "./passwords.ts";

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
  const { keyFilePassword } = await import("../../tools/crypto/key-file.ts");
  const isAsked = password || passwordFd !== undefined;
  const typed = isAsked ? await readPassword(io, { question: "Password", passwordFd, isNew }) : "";
  return keyFilePassword(streamInput(io, keyFile), { password: typed });
}
