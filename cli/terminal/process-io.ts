import { createReadStream } from "node:fs";
import type { Bytes } from "../../wire/bytes.ts";
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
    ? createReadStream(`/dev/fd/${fd}`, "utf8")
    : createReadStream("", { fd, autoClose: false, encoding: "utf8" });
  let text = "";
  for await (const chunk of source) text += chunk;
  return text;
}
