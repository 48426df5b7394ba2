import { setTimeout as sleep } from "node:timers/promises";
import type { Bytes } from "../../wire/bytes.ts";
import { CliError, EXIT } from "../exit.ts";
import { plainBytes } from "../files/input.ts";
import type { Io } from "../terminal/io.ts";
import type { ServerAddress } from "./connect.ts";
import { RestFailure } from "../../client/rest.ts";
import { postToServer } from "./rest.ts";

/** Waits before a delivery goes on: somewhat less than the ten minutes that a ticket lasts. */
const WAIT_SECONDS = [0, 1, 2, 4, 8, 15, 30, 30, 60, 60, 60, 60, 60, 60, 60];
const CLAIM_WAIT_SECONDS = [0.5, 2, 8];
/** A connection that nothing comes from for so long is taken for dead. */
const IDLE_MS = 30_000;

interface Asked {
  readonly server: ServerAddress;
  readonly id: string;
  /** What the call takes in its body: key and passphrase. */
  readonly fields: { readonly key: string; readonly passphrase?: string };
  readonly ticket: string;
}

/** A file that is this program's alone, from the first byte on. */
export interface FileDownload {
  /** As the server has it, which for a file sealed before it was sent is a name of its own. */
  readonly name: string;
  readonly type: string;
  /** NaN where a proxy hides it. */
  readonly size: number;
  /** All of it, from its beginning, however often that is asked for; after a cut it goes on. */
  readonly pieces: () => AsyncGenerator<Bytes, void>;
}

/** Claims a file secret. @throws RestFailure; CliError network, also while the pieces are read */
export async function startDownload(io: Io, asked: Asked): Promise<FileDownload> {
  const first = await claim(io, asked);
  const { headers } = first.response;
  const size = Number(headers.get("content-length") ?? Number.NaN);
  const type = headers.get("content-type") ?? "application/octet-stream";
  let next: Opened | undefined = first;
  return { name: readName(headers.get("content-disposition") ?? ""), type, size, pieces };

  async function* pieces(): AsyncGenerator<Bytes, void> {
    let at = 0;
    for (let failures = 0; ; failures++) {
      const opened = next ?? (await goOn(io, asked, at));
      next = undefined;
      const isCut = yield* readAll(opened, (bytes) => {
        at += bytes;
        failures = 0;
      });
      if (at === size || (!isCut && Number.isNaN(size))) return;
      if (failures > 2) throw givenUp();
    }
  }
}

interface Opened {
  readonly response: Response;
  /** Ends the connection. */
  readonly abort: AbortController;
}

// The answer of the first call may be lost too; the ticket is known before it.
async function claim(io: Io, asked: Asked): Promise<Opened> {
  for (const seconds of CLAIM_WAIT_SECONDS) {
    try {
      return await open(io, asked, 0);
    } catch (error) {
      if (error instanceof RestFailure) throw error;
    }
    await sleep(seconds * 1000);
  }
  return open(io, asked, 0);
}

async function open(io: Io, { server, id, fields, ticket }: Asked, at: number): Promise<Opened> {
  const abort = new AbortController();
  const range = at > 0 ? { range: `bytes=${at}-` } : {};
  const headers = { "content-type": "application/json", "secret-ticket": ticket, ...range };
  const sent = { path: `/api/secrets/${id}/file`, headers, body: JSON.stringify(fields) };
  return { response: await postToServer(io, server, { ...sent, signal: abort.signal }), abort };
}

/** Asks for the rest until the server answers. */
async function goOn(io: Io, asked: Asked, at: number): Promise<Opened> {
  for (const seconds of WAIT_SECONDS) {
    await sleep(seconds * 1000);
    const opened = await open(io, asked, at).catch((error: unknown) => {
      if (error instanceof RestFailure && isFinal(error.body?.status ?? 502)) throw error;
    });
    if (opened?.response.status === (at > 0 ? 206 : 200)) return opened;
    opened?.abort.abort();
  }
  throw givenUp();
}

function isFinal(status: number): boolean {
  return status < 500 && status !== 429 && status !== 408;
}

/** The bytes of one answer, and whether it was cut. */
async function* readAll({ response, abort }: Opened, onBytes: (bytes: number) => void) {
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const next = await readOrCut(reader, abort);
      if (next === "cut") return true;
      if (!next) return false;
      onBytes(next.length);
      yield next;
    }
  } finally {
    // Where the reader of the pieces has seen enough.
    abort.abort();
  }
}

async function readOrCut(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  abort: AbortController,
): Promise<Bytes | "cut" | undefined> {
  const timer = setTimeout(() => abort.abort(), IDLE_MS);
  try {
    const next = await reader?.read();
    return next?.value && plainBytes(next.value);
  } catch {
    return "cut";
  } finally {
    clearTimeout(timer);
  }
}

// RFC 6266; what the name may do here is decided where it is used.
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
