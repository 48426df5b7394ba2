// slow
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { startNameless, startOutput } from "../../cli/files/output.ts";
import { processIo } from "../../cli/terminal/process-io.ts";
import type { Harness, Sent } from "../support/harness.ts";
import { withServer } from "../support/with-server.ts";
import { openShell, type Shell } from "./support/terminal.ts";

const service = withServer();
const LINK = /^http:\/\/hushkit\.test\/s\/[0-9A-Za-z]{16}#[0-9A-Za-z]{22}\.[0-9A-Za-z]{43}\n$/;

const content = (length: number) => Uint8Array.from({ length }, (_, i) => (7 * i) % 251);

async function send(shell: Shell, bytes: Uint8Array, name = "résumé 2026.pdf"): Promise<string> {
  const sent = await shell.run(["send", shell.put(name, bytes)]);
  expect(sent).toMatchObject({ code: 0, err: "", out: expect.stringMatching(LINK) });
  return sent.out.trim();
}

test.each([1, 65_535, 65_536, 65_537, 1_000_000])(
  "hands a file of %i bytes over with its name, which the server never sees",
  async (length) => {
    const link = await send(openShell(service), content(length));
    const shell = openShell(service);
    expect(await shell.run(["open", link])).toMatchObject({ code: 0, out: "", err: "" });
    expect(shell.read("résumé 2026.pdf").equals(content(length))).toBe(true);
    expect(statSync(shell.path("résumé 2026.pdf")).mode & 0o777).toBe(0o600);
    expect(readdirSync(shell.folder)).toEqual(["résumé 2026.pdf"]);
    expect(await shell.run(["open", link])).toMatchObject({ code: 3, out: "" });
  },
);

test("sends a file of text as a file, byte for byte", async () => {
  const shell = openShell(service);
  const link = await send(shell, Buffer.from("\uFEFFnote"), "note.txt");
  expect(await shell.run(["open", link, "-o", "-"])).toMatchObject({ code: 0, out: "\uFEFFnote" });
});

test("sends standard input as a file where it is no text, or too long for one", async () => {
  const shell = openShell(service);
  for (const [stdin, name] of [
    [content(1000), "secret.bin"],
    ["🔑".repeat(50_001), "secret.txt"],
  ] as const) {
    const sent = await shell.run(["send"], { stdin });
    expect(sent.code).toBe(0);
    expect(await shell.run(["open", sent.out.trim()])).toMatchObject({ code: 0, out: "" });
    expect(shell.read(name).equals(Buffer.from(stdin))).toBe(true);
  }
  const text = await shell.run(["send", "-"], { stdin: "🔑".repeat(50_000) });
  expect((await shell.run(["open", text.out.trim()])).out).toBe("🔑".repeat(50_000));
});

test("never overwrites: a name that is taken gets a number, one that was chosen is refused before", async () => {
  const shell = openShell(service);
  const names = ["a.tar", "a-1.tar"];
  for (const name of names) shell.put(name, "old");
  const link = await send(openShell(service), content(9), "a.tar");
  const refused = await shell.run(["open", link, "-o", "a.tar"]);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("--force") });
  const opened = await shell.run(["open", link]);
  expect(opened).toMatchObject({ code: 0, err: expect.stringContaining("a-2.tar") });
  expect(shell.read("a-2.tar").equals(content(9))).toBe(true);
  expect(names.map((name) => shell.read(name).toString())).toEqual(["old", "old"]);
  const other = await send(openShell(service), content(8), "a.tar");
  expect(await shell.run(["open", other, "--force"])).toMatchObject({ code: 0, err: "" });
  expect(shell.read("a.tar").equals(content(8))).toBe(true);
});

test.skipIf(process.platform !== "linux")(
  "sends a file that says it is empty, as those of /proc do",
  async () => {
    const shell = openShell(service);
    const sent = await shell.run(["send", "/proc/version"]);
    const opened = await shell.run(["open", sent.out.trim(), "-o", "-"]);
    expect(opened).toMatchObject({ code: 0, out: readFileSync("/proc/version", "utf8") });
  },
);

test("numbers the longest name that a disk takes too", async () => {
  const shell = openShell(service);
  const name = `${"é".repeat(125)}n.txt`;
  const link = await send(shell, content(9), name);
  const opened = await shell.run(["open", link]);
  expect(opened).toMatchObject({ code: 0, err: expect.stringContaining("-1.txt") });
  expect(shell.read(`${"é".repeat(124)}-1.txt`).equals(content(9))).toBe(true);
});

test("takes no folder from a name that somebody sent", async () => {
  const { makeSenderKeys } = await import("../../tools/crypto/end-to-end.ts");
  const { sealFile } = await import("../../tools/crypto/file-seal.ts");
  const { collectPieces } = await import("../tools/support/pieces.ts");
  const { inner, fileKey } = await makeSenderKeys({});
  const metadata = { name: "../../.ssh/\u202Eauthorized_keys\x1b[2J", type: "", size: 3 };
  const body = await collectPieces(sealFile(content(3), { fileKey, metadata }));
  const made = await service.request("/api/secrets/file?isEncrypted=true", { method: "POST", body });
  const { url } = (await made.json()) as { url: string };
  const shell = openShell(service);
  expect(await shell.run(["open", `${url}.${inner}`])).toMatchObject({ code: 0 });
  expect(readdirSync(shell.folder)).toEqual(["authorized_keys[2J"]);
});

test("asks for a passphrase, and a wrong one uses nothing up", async () => {
  const shell = openShell(service);
  shell.put("a.bin", content(70_000));
  const sent = await shell.run(["send", "a.bin", "-p"], { answers: ["one", "one"] });
  const link = sent.out.trim();
  const wrong = await shell.run(["open", link, "-o", "b.bin"], { answers: ["two"] });
  expect(wrong).toMatchObject({ code: 4, err: expect.stringContaining("9 more tries are left") });
  expect(await shell.run(["open", link, "-o", "b.bin"], { answers: ["one"] })).toMatchObject({ code: 0 });
  expect(shell.read("b.bin").equals(content(70_000))).toBe(true);
  expect(readdirSync(shell.folder).toSorted()).toEqual(["a.bin", "b.bin"]);
});

/** The server behind a connection that is cut once for each number, after that many bytes. */
function cutting(cuts: number[], onCut: () => void = () => {}): Harness {
  const request = async (path: string, init: Sent = {}) => {
    const response = await service.request(path, init);
    if (!path.endsWith("/file")) return response;
    const after = cuts.shift();
    if (after === undefined) return response;
    if (after < 0) throw new TypeError("fetch failed");
    return new Response(cut(response.body!, { after, onCut }), response);
  };
  return { ...service, request };
}

function cut(body: ReadableStream<Uint8Array>, { after, onCut }: { after: number; onCut: () => void }) {
  const reader = body.getReader();
  let left = after;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await reader.read();
        const piece = (value ?? new Uint8Array(0)).subarray(0, left);
        left -= piece.length;
        if (piece.length > 0) return controller.enqueue(piece);
        await reader.cancel();
        onCut();
        controller.error(new TypeError("terminated"));
      },
    },
    { highWaterMark: 0 },
  );
}

test("goes on with its ticket where the download was cut, and the file is whole", async () => {
  const link = await send(openShell(service), content(500_000));
  const shell = openShell(cutting([100_000, -1, 65_536, 1]));
  const opened = await shell.run(["open", link, "-o", "whole.pdf"]);
  expect(opened).toMatchObject({ code: 0, err: "" });
  expect(shell.read("whole.pdf").equals(content(500_000))).toBe(true);
});

test("leaves nothing of a file whose rest is gone", async () => {
  const link = await send(openShell(service), content(500_000));
  const shell = openShell(cutting([100_000], () => (service.clock.now += 700)));
  expect(await shell.run(["open", link])).toMatchObject({ code: 3, out: "" });
  expect(readdirSync(shell.folder)).toEqual([]);
});

test("hands out what a wrong inner key does not open, because it is used up", async () => {
  const link = await send(openShell(service), content(100_000));
  const shell = openShell(service);
  const opened = await shell.run(["open", `${link.slice(0, -43)}${"0".repeat(43)}`]);
  expect(opened).toMatchObject({ code: 4, err: expect.stringContaining("encrypted as it is") });
  expect(shell.read("secret.bin").subarray(0, 3).toString("latin1")).toBe("s2\x01");
  expect(shell.read("secret.bin").length).toBeGreaterThan(100_000);
});

test("opens what a script sent without a seal, and gives foreign ciphertext as it was sent", async () => {
  const shell = openShell(service);
  for (const [query, err] of [
    ["", ""],
    ["&isEncrypted=true", expect.stringContaining("another program")],
  ]) {
    const init = { method: "POST", body: content(100_000) };
    const made = await service.request(`/api/secrets/file?filename=b%C3%BCro.bin${query}`, init);
    const { url } = (await made.json()) as { url: string };
    expect(await shell.run(["open", url, "--force"])).toMatchObject({ code: 0, err });
    expect(shell.read("büro.bin").equals(content(100_000))).toBe(true);
  }
});

test("tells in JSON what the file was, and never its bytes", async () => {
  const shell = openShell(service);
  const sent = await shell.run(["send", shell.put("a.bin", content(10)), "--json"]);
  const made = JSON.parse(sent.out) as Record<string, string>;
  expect(made).toMatchObject({ kind: "file", status: "active", isEncrypted: true });
  const url = made.url ?? "";
  const status = await shell.run(["status", url]);
  expect(status).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^active until .*, a file of \d+ bytes\n$/),
  });
  expect(await shell.run(["open", url, "--json", "-o", "-"])).toMatchObject({ code: 2, out: "" });
  const opened = await shell.run(["open", url, "--json", "-o", "b.bin"]);
  const type = "application/octet-stream";
  expect(JSON.parse(opened.out)).toEqual({
    id: made.id,
    name: "a.bin",
    type,
    size: 10,
    isEncrypted: true,
    path: "b.bin",
  });
  expect(await shell.run(["revoke", `${made.id}.${made.revokeToken}`])).toMatchObject({ code: 3 });
});

test("refuses a file over the limit before it is sent, and one of nothing", async () => {
  const shell = openShell(service);
  const over = await shell.run(["send", shell.put("large", new Uint8Array(26_214_401))]);
  expect(over).toMatchObject({ code: 5, out: "", err: expect.stringContaining("26214400") });
  expect(await shell.run(["send", shell.put("empty", "")])).toMatchObject({ code: 2, out: "" });
  expect(await shell.run(["send", "none"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("none: "),
  });
});

test("shows on a terminal how far it is, and writes no file to it", async () => {
  const shell = openShell(service);
  const sent = await shell.run(["send", shell.put("a.bin", content(300_000))], { isTerminal: true });
  expect(sent.err).toMatch(/\rSending 0 %/);
  const link = sent.out.trim();
  const refused = await shell.run(["open", link, "-o", "-"], { isTerminal: true });
  expect(refused).toMatchObject({ code: 2, out: "" });
  const opened = await shell.run(["open", link, "-o", "b.bin"], { isTerminal: true });
  expect(opened.err).toMatch(/\rReceiving \d+ %.*b\.bin: 300,000 bytes\n$/s);
  expect(existsSync(shell.path("b.bin"))).toBe(true);
});

test("begins nothing that the disk has no room for", async () => {
  const shell = openShell();
  const io = { ...processIo(), cwd: shell.folder };
  const sizeBytes = 2 ** 60;
  const tooMuch = { exitCode: 2, message: expect.stringMatching(/the disk has no room for \d+ bytes\.$/) };
  await expect(startOutput(io, { path: "a", sizeBytes })).rejects.toMatchObject(tooMuch);
  await expect(startNameless(io, { folder: "", sizeBytes })).rejects.toMatchObject(tooMuch);
  expect(readdirSync(shell.folder)).toEqual([]);
});
