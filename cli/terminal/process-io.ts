import { createReadStream } from "node:fs";
import { joinBytes, type Bytes } from "../../wire/bytes.ts";
import { CliError, EXIT } from "../exit.ts";
import { plainBytes } from "../files/input.ts";
import { createNetwork } from "../server/network.ts";
import { askTerminal, hasTerminal } from "./ask.ts";
import type { Io, Output } from "./io.ts";

/** The world of the running program. */
export function processIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: {
      get isTerminal() {
        return process.stdin.isTTY;
      },
      read: readStdin,
    },
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    ...createNetwork(process.env),
    readFd,
    get ask() {
      return hasTerminal() ? askTerminal : undefined;
    },
    exitCode: 0,
  };
}

async function* readStdin(): AsyncGenerator<Bytes> {
  for await (const chunk of process.stdin) yield plainBytes(chunk);
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // The reason of a failed write comes to its callback too; without a listener the event ends the process.
  stream.on("error", () => {});
  const write = (data: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      stream.write(data, (error) => (error ? reject(error) : resolve()));
    });
  return { isTerminal: stream.isTTY, write };
}

async function readFd(fd: number): Promise<string> {
  // Deno 2.9 knows no descriptors in node:fs but those that it opened itself.
  const source = process.versions.deno
    ? createReadStream(`/dev/fd/${fd}`)
    : createReadStream("", { fd, autoClose: false });
  const pieces: Bytes[] = [];
  for await (const chunk of source) pieces.push(plainBytes(chunk));
  const { readGivenText } = await import("../../wire/given-text.ts");
  const text = readGivenText(joinBytes(pieces));
  if (text !== undefined) return text;
  throw new CliError(EXIT.usage, `What file descriptor ${fd} holds is no text in UTF-8 or UTF-16.`);
}
