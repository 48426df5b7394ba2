// What code that has taken a worker over would try. Each answers whether it could.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import type { Bytes } from "../../../../wire/bytes.ts";

export const jobs = { readFile, listFolder, writeFile, openSocket, startProgram, startThread, convert };

function readFile(path: string): boolean {
  return tried(() => readFileSync(path));
}

function listFolder(path: string): boolean {
  return tried(() => readdirSync(path));
}

function writeFile(path: string): boolean {
  return tried(() => writeFileSync(path, "x"));
}

function startProgram(program: string): boolean {
  return tried(() => {
    const { status } = spawnSync(program, ["--version"]);
    if (status !== 0) throw new Error("It did not run");
  });
}

async function openSocket(port: number): Promise<boolean> {
  return triedLater(async () => {
    const socket = connect({ port, host: "127.0.0.1" });
    await once(socket, "connect");
    socket.destroy();
  });
}

async function startThread(): Promise<boolean> {
  return triedLater(async () => {
    const thread = new Worker("", { eval: true });
    await once(thread, "exit");
  });
}

/** The size of a converted image, which tells whether the image engine works in spite of all that. */
async function convert(): Promise<number> {
  const { default: sharp } = await import("sharp");
  const made = sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } });
  const bytes: Bytes = new Uint8Array(await made.avif().toBuffer());
  return bytes.length;
}

function tried(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

async function triedLater(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch {
    return false;
  }
}
