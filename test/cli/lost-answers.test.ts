// process
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Harness, Sent } from "../support/harness.ts";
import { PAUSES_MS, skipPauses } from "../support/skip-pauses.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { withServer } from "../support/with-server.ts";
import { begin, ended, NODE } from "./support/program.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();

/** The server behind a network that loses some answers to a call. The server has done its work. */
function losing(procedure: string, count: number): Harness {
  let left = count;
  const request = async (path: string, init: Sent = {}) => {
    const response = await service.request(path, init);
    if (!path.includes(procedure) || left === 0) return response;
    left--;
    await response.body?.cancel();
    throw new TypeError("fetch failed");
  };
  return { ...service, request };
}

async function shareLink(text: string): Promise<string> {
  return (await openShell(service).run(["send"], { stdin: text })).out.trim();
}

async function countKept(): Promise<number> {
  const kept = await service.db.query.selectFrom("secret_content").select("size").execute();
  return kept.length;
}

test("reads a text again whose answer was lost, and has it deleted when it is written", async () => {
  skipPauses();
  const before = await countKept();
  const link = await shareLink("hush");
  const opened = await openShell(losing("secrets.reveal", 1)).run(["open", link]);
  expect(opened).toMatchObject({ code: 0, out: "hush" });
  expect(await countKept()).toBe(before);
});

test("says how to try again where all answers were lost, and that works", async () => {
  const pauses = skipPauses();
  const link = await shareLink("hush");
  const lost = await openShell(losing("secrets.reveal", 99)).run(["open", link, "-o", "secret.txt"]);
  expect(lost.code).toBe(6);
  expect(pauses).toEqual(PAUSES_MS);
  const [, ticket = ""] = /--ticket ([0-9A-Za-z]{32})/.exec(lost.err) ?? [];
  const shell = openShell(service);
  expect(await shell.run(["open", link])).toMatchObject({ code: 3 });
  expect(await shell.run(["open", link, "--ticket", ticket])).toMatchObject({ code: 0, out: "hush" });
  expect(await shell.run(["open", link, "--ticket", ticket])).toMatchObject({ code: 3 });
});

test.each(["text", "file"])(
  "says how to try again where a %s was fetched and its name is taken by then",
  async (kind) => {
    const sender = openShell(service);
    const file = kind === "file" ? [sender.put("b.txt", "hush")] : [];
    const link = (await sender.run(["send", ...file], { stdin: "hush" })).out.trim();
    let take = () => {};
    const late = openShell({
      ...service,
      request: async (path, init) => {
        const response = await service.request(path, init);
        if (/reveal|file/.test(path)) take();
        return response;
      },
    });
    const output = kind === "file" ? [] : ["-o", "a.txt"];
    take = () => {
      late.put("a.txt", "mine");
      late.put("b.txt", "mine");
      for (let i = 1; i < 1000; i++) late.put(`b-${i}.txt`, "mine");
    };
    const failed = await late.run(["open", link, ...output]);
    expect(failed).toMatchObject({ code: 2, err: expect.stringContaining("--force replaces it") });
    const [, ticket = ""] = /--ticket ([0-9A-Za-z]{32})/.exec(failed.err) ?? [];
    const again = await late.run(["open", link, "-o", "c.txt", "--ticket", ticket]);
    expect([again.code, String(late.read("c.txt"))]).toEqual([0, "hush"]);
  },
);

/** What happens in a run in order: a file that reaches the disk, and the word to the server that it was received. */
async function watchDisk({ failure }: { failure?: string } = {}): Promise<{
  service: Harness;
  steps: string[];
}> {
  const steps: string[] = [];
  const file = await open(import.meta.filename);
  const handles: typeof file = Object.getPrototypeOf(file);
  await file.close();
  const { sync } = handles;
  const spy = vi.spyOn(handles, "sync").mockImplementation(async function (this: typeof file) {
    steps.push((await this.stat()).isDirectory() ? "folder" : "file");
    if (failure) throw Object.assign(new Error("made by this test"), { code: failure });
    return sync.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  const request = async (path: string, init: Sent = {}) => {
    if (path.includes("received")) steps.push("received");
    return service.request(path, init);
  };
  return { service: { ...service, request }, steps };
}

test("has the server delete nothing before it is on the disk", async () => {
  const watched = await watchDisk();
  const shell = openShell(watched.service);
  const sent = async (...args: string[]) =>
    (await shell.run(["send", ...args], { stdin: "hush" })).out.trim();
  const files = [shell.put("a.txt", "one"), shell.put("b.txt", "two")];
  const asked = JSON.parse((await shell.run(["ask", "--json"])).out) as { url: string; collectUrl: string };
  await shell.run(["answer", asked.url], { stdin: "hush" });
  const runs = [
    { args: ["open", await sent(), "-o", "text.txt"], files: 1 },
    { args: ["open", await sent("a.txt")], files: 1 },
    { args: ["open", await sent("a.txt"), "-o", "one.txt"], files: 1 },
    { args: ["open", await sent(...files)], files: 2 },
    { args: ["open", await sent(...files), "-o", "new"], files: 2 },
    { args: ["collect", asked.collectUrl, "-o", "answer.txt"], files: 1 },
  ];
  for (const { args, files: count } of runs) {
    watched.steps.length = 0;
    expect(await shell.run(args)).toMatchObject({ code: 0 });
    expect(watched.steps).toEqual([...Array<string>(count).fill("file"), "folder", "received"]);
  }
});

test("hands a text out where the server cannot be told that it was received, and says so", async () => {
  const link = await shareLink("hush");
  const opened = await openShell(losing("secrets.received", 99)).run(["open", link]);
  expect(opened).toMatchObject({ code: 0, out: "hush", err: expect.stringContaining("after ten minutes") });
});

test("knows its own answer to a request, where the server's answer to it was lost", async () => {
  skipPauses();
  const asked = await openShell(service).run(["ask", "--json"]);
  const { url } = JSON.parse(asked.out) as { url: string };
  const answered = await openShell(losing("requests.answer", 1)).run(["answer", url, "--json"], {
    stdin: "hush",
  });
  expect([answered.code, JSON.parse(answered.out)]).toMatchObject([0, { status: "answered" }]);
  const other = await openShell(service).run(["answer", url], { stdin: "hush" });
  expect(other.code).toBe(3);
});

test("refuses a ticket of the wrong form before anything is read", async () => {
  const link = await shareLink("hush");
  const shell = openShell(service);
  expect(await shell.run(["open", link, "--ticket", "x".repeat(31)])).toMatchObject({ code: 2 });
  expect(await shell.run(["open", link])).toMatchObject({ code: 0, out: "hush" });
  expect(readdirSync(shell.folder)).toEqual([]);
});

test("says how to try again where Ctrl-C ends it while it is read", async () => {
  const data = {
    id: "0".repeat(16),
    kind: "text",
    status: "active",
    expiry: "2030-01-01T00:00:00Z",
    closed: null,
  };
  const reading = createServer((request, response) => {
    request.resume();
    if (request.url?.includes("reveal")) return void reading.emit("asked");
    response.setHeader("content-type", "application/json").end(JSON.stringify([{ result: { data } }]));
  });
  reading.listen(0, "127.0.0.1");
  await once(reading, "listening");
  onTestFinished(() => void reading.close().closeAllConnections());
  const { port } = reading.address() as AddressInfo;
  const link = `http://127.0.0.1:${port}/s/${data.id}#${"0".repeat(22)}`;
  const child = begin(NODE, { args: ["open", link, "-o", "secret.txt"], folder: makeTempFolder() });
  const end = ended(child);
  await once(reading, "asked");
  child.kill("SIGINT");
  const { err } = await end;
  expect(err).toMatch(
    /^hushkit: It was not read to its end\. .* hushkit open LINK --ticket [0-9A-Za-z]{32}\.\n$/,
  );
});

// As some file systems know no fsync.
test.each(["EINVAL", "ENOSYS", "ENOTSUP"])(
  "reads a secret where the disk answers %s to a wait",
  async (failure) => {
    const { service: watched, steps } = await watchDisk({ failure });
    const shell = openShell(watched);
    const [a, b] = [shell.put("a.txt", "one"), shell.put("b.txt", "two")];
    for (const sent of [[], [a], [a, b]]) {
      const link = (await shell.run(["send", ...sent], { stdin: "hush" })).out.trim();
      const output = `out-${sent.length}`;
      expect(await shell.run(["open", link, "-o", output])).toMatchObject({ code: 0 });
      expect(steps.at(-1)).toBe("received");
    }
  },
);

test("keeps a secret on the server where the disk fails", async () => {
  const { service: watched, steps } = await watchDisk({ failure: "EIO" });
  const shell = openShell(watched);
  const [a, b] = [shell.put("a.txt", "one"), shell.put("b.txt", "two")];
  for (const sent of [[], [a], [a, b]]) {
    const link = (await shell.run(["send", ...sent], { stdin: "hush" })).out.trim();
    const opened = await shell.run(["open", link, "-o", `out-${sent.length}`]);
    expect(opened).not.toMatchObject({ code: 0 });
    expect(opened.err).toMatch(
      /^hushkit: (?:out-\d: it cannot be written \(EIO\)|The disk has failed)\..* --ticket/m,
    );
  }
  expect(steps).not.toContain("received");
});
