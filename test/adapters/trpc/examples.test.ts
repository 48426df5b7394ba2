// process
import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { expect, test } from "vitest";
import { frameLink } from "../../../client/frame-link.ts";
import type { notesRouter } from "../../../examples/notes.ts";
import { runtimesHere } from "../../machine/skips.ts";
import type { Runtime } from "../../support/runtimes.ts";

const PROGRAM = fileURLToPath(new URL("../../../examples/serve-notes.mjs", import.meta.url));
const MOUNTS = ["alone", "h3", "hono", "express"];
/** Less than the adapter allows where nothing is said. */
const FILE = randomFillSync(new Uint8Array(900_000));

async function withNotes({ command, args }: Runtime, mount: string, use: (url: string) => Promise<void>) {
  const server = spawn(command, [...args, PROGRAM, mount], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface(server.stdout))
      if (line.startsWith("http")) return await use(line);
    throw new Error(`The notes did not start in ${mount}`);
  } finally {
    server.kill("SIGKILL");
  }
}

async function tryNotes(url: string): Promise<void> {
  const written = await fetch(`${url}/api/notes`, {
    method: "POST",
    body: new URLSearchParams({ text: "a", tags: "x" }),
  });
  const { id } = (await written.json()) as { id: string };
  expect(written.status).toBe(201);
  const sent = await fetch(`${url}/api/notes/${id}/attachment?filename=f`, { method: "POST", body: FILE });
  expect([sent.status, await sent.json()]).toEqual([200, { id, text: "a", tags: ["x"], attachment: "f" }]);
  const taken = await fetch(`${url}/api/notes/${id}/attachment`);
  expect(Buffer.from(await taken.arrayBuffer()).equals(FILE)).toBe(true);

  const typed = createTRPCClient<typeof notesRouter>({ links: [httpBatchLink({ url: `${url}/trpc` })] });
  expect(await typed.list.query({ tag: "x" })).toMatchObject({ notes: [{ id }] });
  const framed = createTRPCClient<typeof notesRouter>({ links: [frameLink({ url: `${url}/trpc` })] });
  await framed.attach.mutate({ id, filename: "g", file: FILE.subarray(0, 10) });
  expect((await framed.attachment.query({ id })).name).toBe("g");
  await expect(framed.attachment.query({ id: "none" })).rejects.toThrow("There is no such note");

  const statuses = [
    fetch(`${url}/api/notes`, { method: "PUT" }),
    fetch(`${url}/api/notes/${id}/attachment`, { method: "POST", body: new Uint8Array(1_000_001) }),
    fetch(`${url}/api/notes?limit=0`),
    fetch(`${url}/api/openapi.json`, { method: "HEAD" }),
  ].map(async (answer) => (await answer).status);
  expect(await Promise.all(statuses)).toEqual([405, 413, 400, 200]);
}

test.each(runtimesHere())(
  "the notes run on $name, by themselves and mounted in h3, Hono and Express",
  async (runtime) => {
    for (const mount of MOUNTS) await withNotes(runtime, mount, tryNotes);
  },
);
