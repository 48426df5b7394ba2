import { notHushkitOf } from "../../client/answers/not-hushkit.ts";
import { RestFailure } from "../../client/rest.ts";
import { readAll } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { CliError, EXIT } from "../exit.ts";
import { plainBytes } from "../files/input.ts";
import type { Io } from "../terminal/io.ts";
import type { ServerAddress } from "./connect.ts";
import { postToServer } from "./rest.ts";

/** A connection without any data for this time counts as dead. */
const IDLE_MS = 30_000;

interface DownloadCall {
  readonly server: ServerAddress;
  readonly id: string;
  /** The fields of the call's body: key and passphrase. */
  readonly fields: { readonly key: string; readonly passphrase?: string };
  readonly ticket: string;
}

/** A file that only this program can read, from the first byte on. */
export interface FileDownload {
  /** The name that the server has; a file encrypted before it was sent has a meaningless one. */
  readonly name: string;
  readonly type: string;
  /** NaN where a proxy hides it. */
  readonly size: number;
  /** All pieces from the beginning, as often as it is called; after an interruption the download continues. */
  readonly pieces: () => AsyncGenerator<Bytes, void>;
}

/** Claims a file secret. @throws RestFailure, NotHushkit; CliError network, also while the pieces are read */
export async function startDownload(io: Io, call: DownloadCall): Promise<FileDownload> {
  const { askAgain } = await import("../../client/ask-again.ts");
  const { isFinal, resumeFile } = await import("../../client/resume-file.ts");
  const isLost = (error: unknown) => !(error instanceof RestFailure && isFinal(error.body?.status ?? 502));
  // The answer to the first call may be lost too; its ticket is known before.
  let first: DownloadStart | undefined = await askAgain(
    () => open(io, call, 0),
    (error) => !(error instanceof RestFailure) && (notHushkitOf(error)?.isPassing ?? true),
  );
  const { headers } = first.response;
  const size = Number(headers.get("content-length") ?? Number.NaN);
  const type = headers.get("content-type") ?? "application/octet-stream";
  return { name: readName(headers.get("content-disposition") ?? ""), type, size, pieces };

  async function* pieces(): AsyncGenerator<Bytes, void> {
    const opened = first && readWhileAlive(first);
    first = undefined;
    try {
      yield* resumeFile({ pieces: opened, size }, { reopen, isLost });
    } catch (error) {
      throw isLost(error) ? givenUp() : error;
    }
  }

  async function reopen(at: number): Promise<AsyncIterable<Bytes>> {
    const opened = await open(io, call, at);
    if (opened.response.status === (at > 0 ? 206 : 200)) return readWhileAlive(opened);
    opened.abort.abort();
    throw givenUp();
  }
}

interface DownloadStart {
  readonly response: Response;
  /** Closes the connection. */
  readonly abort: AbortController;
}

async function open(
  io: Io,
  { server, id, fields, ticket }: DownloadCall,
  at: number,
): Promise<DownloadStart> {
  const abort = new AbortController();
  const range = at > 0 ? { range: `bytes=${at}-` } : {};
  const headers = { "content-type": "application/json", "secret-ticket": ticket, ...range };
  const sent = { path: `/api/secrets/${id}/file`, headers, body: () => JSON.stringify(fields) };
  return { response: await postToServer(io, server, { ...sent, signal: abort.signal }), abort };
}

async function* readWhileAlive({ response, abort }: DownloadStart): AsyncGenerator<Bytes, void> {
  const watch = () => setTimeout(() => abort.abort(), IDLE_MS);
  let timer = watch();
  try {
    for await (const piece of response.body ? readAll(response.body) : []) {
      clearTimeout(timer);
      yield plainBytes(piece);
      timer = watch();
    }
  } finally {
    clearTimeout(timer);
    // Also runs where the consumer of the pieces stops early.
    abort.abort();
  }
}

// RFC 6266. Whether the name is safe is decided where it is used.
function readName(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const [, plain = ""] = /filename="([^"]*)"/i.exec(disposition) ?? [];
  try {
    return encoded === undefined ? plain : decodeURIComponent(encoded);
  } catch {
    return plain;
  }
}

function givenUp(): CliError {
  const message = "The connection was lost, and the rest of the file could not be had within ten minutes.";
  return new CliError(EXIT.network, message);
}
